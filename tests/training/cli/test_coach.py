"""A bot's hints and its review of a hand."""

from __future__ import annotations

import numpy as np
import pytest

from agents import load_agent
from agents.programs.position import action_texts
from buck_env import BuckError, load_rules
from buck_env.environments.asking import views_at
from buck_env.environments.tables import Tables
from buck_env.observation.views import Views
from training.cli.coach import Coach

OHIO = load_rules("ohio")


def decisions(number: int) -> list[Views]:
    """The first decisions of a hand, each a batch of one, whose seats take their first legal action."""
    tables = Tables(OHIO, 1)
    tables.reset(1)
    found = []
    for _ in range(number):
        found.append(views_at(tables, np.zeros(1, np.int64)))
        tables.step(tables.masks.argmax(axis=1))
    return found


def test_a_hint_has_the_probability_of_every_legal_action_and_the_value() -> None:
    (views,) = decisions(1)
    name, _, rest = Coach("pretrained", OHIO).hint(views).partition(": ")
    shares, _, value = rest.partition("; it expects ")
    assert name == "pretrained"
    assert sorted(share.split()[0] for share in shares.split(", ")) == ["order", "pass"]
    assert sum(int(share.split()[1].rstrip("%")) for share in shares.split(", ")) == 100
    assert np.isfinite(float(value))


def test_a_bot_without_a_policy_hints_its_action() -> None:
    (views,) = decisions(1)
    agent = load_agent("rules-v1", OHIO)
    assert Coach("rules-v1", OHIO).hint(views) == f"rules-v1: {action_texts(agent.act(views), views)[0]}"


def test_a_review_lists_the_choices_that_differ_once() -> None:
    coach, agent = Coach("rules-v1", OHIO), load_agent("rules-v1", OHIO)
    first, second = decisions(2)
    own = int(agent.act(first)[0])
    other = next(action for action in np.flatnonzero(second.action_mask[0]) if action != agent.act(second)[0])
    coach.note(first, own)
    coach.note(second, int(other))
    head, *lines = coach.review().splitlines()
    assert head == "rules-v1 would have made 1 of your 2 choices."
    assert len(lines) == 1
    assert action_texts(agent.act(second), second)[0] in lines[0]
    assert coach.review() == ""


def test_points_need_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.cli.coach.find_spec", lambda name: None)
    assert "buck-euchre-rl[train]" in Coach("rules-v1", OHIO).points(decisions(1)[0])


def test_points_are_of_every_legal_action(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.cli.coach.DEALS", 4)
    lines = Coach("rules-v1", OHIO).points(decisions(1)[0]).splitlines()
    assert sorted(line.split()[0] for line in lines[1:3]) == ["order", "pass"]


def test_a_coach_of_other_rules_is_an_error() -> None:
    with pytest.raises(BuckError, match="was trained for the rules cutthroat"):
        Coach("pretrained:cutthroat", OHIO)
