"""Positions from hands that agents play."""

from __future__ import annotations

import numpy as np
import pytest

from agents import load_agent
from buck_env import BuckError, load_rules
from buck_env.game.options import PHASES
from training.analysis.sampling import sample_positions

RULES = load_rules("bucked")
AGENTS = {name: load_agent(name, RULES) for name in ("rules-v1", "random")}


def test_positions_are_choices_of_the_phases_one_of_a_hand() -> None:
    sample = sample_positions(RULES, AGENTS, ["stay", "play"], 60, seed=1, stream=0)
    assert len(sample.views) == len(sample.actions) == 60
    assert {PHASES[phase] for phase in sample.views.tables["phase"]} == {"stay", "play"}
    assert (sample.views.action_mask.sum(axis=1) > 1).all()
    assert (sample.views.action_mask[np.arange(60), sample.actions] == 1).all()
    assert len(set(sample.seeds.tolist())) == 60
    assert set(sample.agents.tolist()) == {0, 1}


def test_a_stream_is_the_same_again_and_no_other() -> None:
    first, again, other = (sample_positions(RULES, AGENTS, ["stay"], 10, seed=1, stream=stream) for stream in (0, 0, 1))
    assert first.views.tables.tobytes() == again.views.tables.tobytes()
    assert (first.actions == again.actions).all()
    assert not set(first.seeds.tolist()) & set(other.seeds.tolist())


def test_hands_without_such_a_choice_are_an_error() -> None:
    with pytest.raises(BuckError, match="give other phases"):
        sample_positions(RULES, AGENTS, ["exchange"], 2, seed=1, stream=0)
