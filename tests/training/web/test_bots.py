"""The bots that a service answers for, and the rules that each plays."""

from __future__ import annotations

import pytest

pytest.importorskip("fastapi", reason="NOT CHECKED: FastAPI is not installed (pip install 'buck-euchre-rl[web]')")

from agents import AgentError
from buck_env import BuckError, load_rules
from training.web.bots import load_bots
from training.web.refusals import Refusal

OHIO, CUTTHROAT = load_rules("ohio"), load_rules("cutthroat")


def test_a_bot_is_loaded_for_those_of_the_rules_that_it_plays() -> None:
    bots = load_bots(["pretrained:ohio", "random"], [OHIO, CUTTHROAT])
    assert [list(agents) for agents in bots.agents.values()] == [[OHIO], [OHIO, CUTTHROAT]]
    assert bots.models(CUTTHROAT) == ["random"]
    with pytest.raises(Refusal, match="pretrained:ohio does not play the rules cutthroat") as caught:
        bots.agent("pretrained:ohio", CUTTHROAT)
    assert "ask random" in caught.value.mend


def test_a_bot_that_plays_none_of_the_rules_is_an_error() -> None:
    with pytest.raises(BuckError, match="was trained for the rules cutthroat"):
        load_bots(["pretrained:cutthroat"], [OHIO])


def test_a_name_stands_once() -> None:
    with pytest.raises(AgentError, match="'random' is named twice"):
        load_bots(["random", "random"], [OHIO])


def test_agents_of_other_houses_are_kept_up_to_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.web.bots._MOST_MORE", 2)
    bots = load_bots(["random"], [OHIO])
    houses = [load_rules({"base": "ohio", "target": target}) for target in (1, 2, 3)]
    first = bots.agent("random", houses[0])
    assert bots.agent("random", houses[0]) is first
    for house in houses[1:]:
        bots.agent("random", house)
    assert bots.agent("random", houses[0]) is not first
