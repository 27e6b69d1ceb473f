"""Hands of the OpenSpiel game for the tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


def states_of(game: Any, rng: np.random.Generator) -> Iterator[Any]:
    """The states of one random hand, from before the deal to the end."""
    state = game.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(int(rng.choice(state.legal_actions())))
    yield state


def first_decision(game: Any, seed: int) -> Any:
    """The first state of a random hand in which a seat decides."""
    return next(state for state in states_of(game, np.random.default_rng(seed)) if not state.is_chance_node())
