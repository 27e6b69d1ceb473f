"""A bot of ours as a program."""

from __future__ import annotations

import io
import json
import shlex
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bots import untrained
from moments import HOUSES, moments
from programs import OHIO, played

from agents import choose, load_agent, tally_of
from agents.programs.position import position_of
from agents.programs.protocol import PROTOCOL, ProtocolError, hello
from agents.programs.serve import serve
from buck_env import PROFILES, BuckError, Rules, action_text, load_rules
from buck_env.observation.views import Views
from buck_env.records import deal_record, view_of
from training.cli.app import main


def served(name: str, rules: Rules | None, *lines: Any) -> list[Any]:
    """What `buck bot` answers to some lines, JSON unless they are bytes."""
    text = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    answers = io.BytesIO()
    serve(name, load_agent, rules, io.BufferedReader(io.BytesIO(text)), answers)  # type: ignore[arg-type]
    return [json.loads(line) for line in answers.getvalue().splitlines()]


@pytest.mark.parametrize("house", [*PROFILES, *HOUSES[6:9]], ids=lambda house: load_rules(house).name)
def test_a_bot_at_the_other_end_decides_as_it_does_here(house: Any, tmp_path: Path) -> None:
    rules = load_rules(house)
    bot = untrained(tmp_path / "bot", rules)
    found = moments(rules, load_agent("random", rules), n=6)[::4]
    for name in ("random", "rules-v1", f"ppo:{bot}", f"ppo:{bot}@sampled"):
        agent = load_agent(name, rules)
        for tables, logs, _ in found:
            views = Views.of(rules, tables, logs)
            positions = [{"id": row, **position_of(views, row)} for row in range(len(views))]
            ready, *answers = served(name, None, hello(rules), *positions)
            assert ready == {"protocol": PROTOCOL, "agent": name}
            actions = agent.act(views)
            phases = [position["phase"] for position in positions]
            expected = [action_text(int(action), phase) for action, phase in zip(actions, phases, strict=True)]
            assert answers == [{"id": row, "action": text} for row, text in enumerate(expected)]


@pytest.mark.parametrize("profile", ["ohio", "cutthroat"])
def test_a_bot_of_ours_as_a_program_plays_as_the_bot_itself(profile: str, tmp_path: Path) -> None:
    rules = load_rules(profile)
    name = f"ppo:{untrained(tmp_path / 'bot', rules)}@sampled"
    command = f"cmd:{shlex.join([sys.executable, '-m', 'training.cli.app', 'bot', name, '--rules', profile])}"
    agent = load_agent(command, rules)
    assert np.array_equal(played(agent, 8, rules), played(load_agent(name, rules), 8, rules))
    assert set(tally_of(agent)) == {"decisions"}


def test_a_host_needs_to_send_no_more_than_protocol_and_view() -> None:
    tables, logs, _ = moments(OHIO, load_agent("random", OHIO), n=1)[0]
    view = view_of(deal_record(logs[0], OHIO), int(tables["seat"][0]))
    for first in ({"protocol": PROTOCOL, "rules": "ohio"}, {"protocol": PROTOCOL}):
        ready, answer = served("rules-v1", None if "rules" in first else OHIO, first, {"view": view})
        assert ready["protocol"] == PROTOCOL
        assert answer == {"id": None, "action": choose(load_agent("rules-v1", OHIO), view)}


def test_a_request_that_makes_no_sense_gets_an_error_and_the_others_an_answer() -> None:
    tables, logs, _ = moments(OHIO, load_agent("random", OHIO), n=1)[0]
    position = position_of(Views.of(OHIO, tables, logs), 0)
    other = {"id": 1, **position, "view": {**position["view"], "rules": "bucked"}}
    wrong = {"id": 2, **position, "legal": ["stay"]}
    unknown = {"id": 3, **position, "cards": []}
    _, *answers = served("random", OHIO, hello(OHIO), b"what?\n", b"[1]\n", b"\xff\n", other, wrong, unknown,
                         {"id": "x", **position}, {"id": 4})  # fmt: skip
    errors = [answer.get("error", "") for answer in answers]
    assert [answer["id"] for answer in answers] == [None, None, None, 1, 2, 3, "x", 4]
    for error, words in zip(
        errors,
        ["not one JSON object", "not a JSON object", "not one JSON object", "rules", "legal: ['stay'] is given",
         "cards", "", "view: Field required"],
        strict=True,
    ):  # fmt: skip
        assert words in error
    assert answers[6]["action"] in position["legal"]


@pytest.mark.parametrize(
    ("first", "error"),
    [
        (b"", "first line: not one JSON object"),
        (b"hello\n", "first line: not one JSON object"),
        ({"rules": "ohio"}, "protocol is None; allowed: 'buck-euchre-command-v1'"),
        ({"protocol": "buck-euchre-command-v9", "rules": "ohio"}, "protocol is 'buck-euchre-command-v9'"),
        ({"protocol": PROTOCOL, "actions_version": 99}, "actions_version is 99"),
        ({"protocol": PROTOCOL, "rules": "configs/rules/bucked-15.yaml"}, "rules: 'configs.*allowed: ohio"),
        ({"protocol": PROTOCOL, "rules": ["ohio"]}, "rules: .*allowed: ohio"),
        ({"protocol": PROTOCOL}, "rules: None; allowed: ohio"),
        (b"x" * 2**21, "a line of more than 1048576 bytes"),
    ],
)
def test_a_host_whose_first_line_is_wrong_gets_an_error_that_says_why(first: Any, error: str) -> None:
    with pytest.raises(BuckError, match=error):
        served("random", None, first)
    assert issubclass(ProtocolError, BuckError)


def test_the_rules_of_host_and_command_line_must_agree(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BuckError, match="bucked is to be played, but --rules says ohio"):
        served("random", OHIO, hello(load_rules("bucked")))
    assert main(["bot", "nobody", "--rules", "ohio"]) == 1
    assert "buck: agent: 'nobody' is not known" in capsys.readouterr().err
