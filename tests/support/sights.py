"""Views of tables for the tests: one seat's view, every position of some random hands, and which entries are lit."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import oracle

from buck_env import LAYOUT, OBSERVATION_SIZE, Rules
from buck_env.observation.encode import encode_rows
from buck_env.records import replay


def see(table: np.ndarray, rules: Rules, seat: int, canonical: bool = False) -> tuple[np.ndarray, int]:
    """The view of a seat at a table, (D,), and the labels of its suits."""
    observation = np.full((1, OBSERVATION_SIZE), 99, np.int8)
    labels = np.zeros(1, np.int64)
    encode_rows(table, rules.packed(), np.array([seat]), canonical, observation, labels)
    return observation[0], int(labels[0])


def positions(rules: Rules, seed: object, count: int = 12) -> Iterator[tuple[Any, int, np.ndarray]]:
    """Record, number of steps and table of every position of some random hands."""
    rng = random.Random(str(seed))
    for _ in range(count):
        record: Any = oracle.play_random(rules, rng)
        for number, table in enumerate(replay(record)):
            yield record, number, table


def lit(observation: np.ndarray, name: str) -> list[int]:
    """The places of a piece that are not 0."""
    return np.flatnonzero(observation[LAYOUT[name]]).tolist()
