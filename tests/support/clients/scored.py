"""What a foreign library's loop is held to: no action was illegal, and what it was paid is what the hands scored."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.utils import BaseWrapper

STEPS = 2_000
"""The decisions that each client takes."""


def client(module: str) -> Any:
    """A module of a client; where the client is not installed the test is skipped, and says so."""
    library = module.partition(".")[0]
    if find_spec(library) is None:
        pytest.skip(f"NOT CHECKED: {library} is not installed; `make clients` installs it in an environment of its own")
    return import_module(module)


def points(env: Any) -> np.ndarray:
    """The points toward the target (S,) that the hand record of a finished episode says, by seat."""
    table = env.unwrapped
    return table.rules.toward * np.array(table.record(finished=True)["result"]["deltas"])


class ScoredTable(BaseWrapper):
    """A table that counts decisions, those that are illegal, and the points of its hands, as their records say them."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.points = np.zeros(len(env.possible_agents))
        self.steps = self.hands = self.illegal = 0

    def step(self, action: Any) -> None:
        playing = not any(self.env.terminations.values())
        legal = not playing or self.unwrapped._tables.masks[0, int(action)]
        super().step(action)
        self.steps += playing
        self.illegal += not legal
        if playing and legal and all(self.env.terminations.values()):
            self.points += points(self)
            self.hands += 1


class ScoredSeat(gymnasium.Wrapper[Any, Any, Any, Any]):
    """A learner's table that compares the rewards of each episode with the hand's record, and counts the episodes."""

    hands = 0

    def reset(self, **options: Any) -> Any:
        self.paid = 0.0
        return super().reset(**options)

    def step(self, action: Any) -> Any:
        result = super().step(action)
        self.paid += float(result[1])
        if result[2]:
            assert self.paid == points(self)[result[4]["seat"]]
            self.hands += 1
        return result
