"""The decisions of whole hands, and the time they take."""

from __future__ import annotations

import numpy as np
import pytest
from clocks import Clock

from agents import load_agent
from buck_env import load_rules
from buck_env.observation.views import Views
from training.measuring import decisions
from training.measuring.decisions import decisions_of_hands, milliseconds_of


class Counting:
    """The first legal action; counts what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Views] = []

    def act(self, views: Views) -> np.ndarray:
        self.asked.append(views)
        return views.action_mask.argmax(axis=1)


def test_every_decision_has_a_choice_and_all_phases_are_met() -> None:
    rules = load_rules("dirty-clubs")
    found = decisions_of_hands(rules, load_agent("random", rules), 60)
    assert (found.action_mask.sum(axis=1) > 1).all()
    assert len(np.unique(found.tables["phase"])) == len(rules.phases)
    again = decisions_of_hands(rules, load_agent("random", rules), 60)
    assert np.array_equal(found.tables, again.tables)


def test_single_decisions_are_timed_each_once_and_the_first_call_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(decisions, "time", Clock())
    rules = load_rules("ohio")
    found = decisions_of_hands(rules, load_agent("random", rules), 10)
    agent = Counting()
    assert milliseconds_of(agent, found, seconds=0, least=3).tolist() == [1000.0] * 3
    assert [len(views) for views in agent.asked] == [1] * 4
    assert len(milliseconds_of(agent, found, seconds=1e9)) == len(found)
