"""What an agent may say of itself, and what holds of one that has a method `act` and nothing else."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from buck_env import load_rules
from buck_env.observation import agent as members
from buck_env.observation.agent import (
    RandomAgent,
    is_agent,
    is_repeatable,
    parts_of,
    phases_of,
    rules_of,
    sha256_of,
    tally_of,
)
from buck_env.observation.views import Views

OHIO = load_rules("ohio")


class Plain:
    """Has the one method that every agent has."""

    def act(self, views: Views) -> np.ndarray:
        return views.action_mask.argmax(axis=1)


class Whole(Plain):
    """Has every member."""

    rules = OHIO
    phases = ("stay", "play")
    parts: dict[str, Any]
    sha256 = "0ff1ce"
    repeatable = False

    def __init__(self) -> None:
        self.parts = {"stay": Plain()}
        self.program_counts = Counter(decisions=3)


def test_an_agent_needs_no_more_than_act() -> None:
    plain = Plain()
    assert is_agent(plain)
    assert rules_of(plain) is None
    assert phases_of(plain, OHIO) == OHIO.phases
    assert parts_of(plain) == {}
    assert sha256_of(plain) is None
    assert is_repeatable(plain)
    assert tally_of(plain) == Counter()


def test_what_an_agent_says_of_itself_is_read() -> None:
    whole = Whole()
    assert rules_of(whole) is OHIO
    assert phases_of(whole, OHIO) == ("stay", "play")
    assert parts_of(whole) is whole.parts
    assert sha256_of(whole) == "0ff1ce"
    assert not is_repeatable(whole)
    assert tally_of(whole) == whole.program_counts


def test_counts_that_were_read_stay_as_they_were() -> None:
    whole = Whole()
    before = tally_of(whole)
    whole.program_counts["decisions"] += 1
    assert before["decisions"] == 3


def test_classes_and_objects_without_act_are_no_agents() -> None:
    assert not is_agent(Plain)
    assert not is_agent("random")
    assert not is_agent(None)
    assert is_agent(RandomAgent(OHIO))


def test_every_optional_member_has_a_function_that_reads_it() -> None:
    optional = [protocol for name, protocol in vars(members).items() if name.startswith("Has")]
    declared = {
        name
        for protocol in optional
        for name in (*protocol.__annotations__, *vars(protocol))
        if not name.startswith("_") and name != "act"
    }
    read = {"program_counts": "tally_of", "repeatable": "is_repeatable"} | {
        name: f"{name}_of" for name in ("rules", "phases", "parts", "probabilities", "sha256")
    }
    assert declared == set(read)
    assert all(hasattr(members, function) for function in read.values())
