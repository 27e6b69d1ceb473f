"""A batch of decisions as the seats that have to take them see them: what every agent is given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.hidden import hide
from buck_env.game.rules import Rules
from buck_env.game.shuffle import uniform
from buck_env.observation.encode import encode_rows
from buck_env.observation.labels import PLAIN, original_rows
from buck_env.observation.layout import OBSERVATION_SIZE
from buck_env.observation.masks import mask_rows

__all__ = ["Views", "original_actions", "pick_evenly"]


@dataclass(frozen=True)
class Views:
    """B decisions. What a seat may not know has been taken out of `tables` before an agent sees them."""

    rules: Rules
    tables: np.ndarray
    """(B,) TABLE: each table as the seat to act knows it."""
    seats: np.ndarray
    """(B,) int64: the seat to act."""
    uniforms: np.ndarray
    """(B,) float64 in [0, 1): a random number of each decision's own, the same however decisions are batched."""

    @classmethod
    def of(cls, rules: Rules, tables: np.ndarray, logs: np.ndarray) -> Views:
        """The views of the seats to act at tables, shape (B,) TABLE, whose hands are logged in logs, (B,) LOG."""
        uniforms = np.empty(len(tables))
        _draw(logs, uniforms)
        return cls.at(rules, tables, uniforms)

    @classmethod
    def at(cls, rules: Rules, tables: np.ndarray, uniforms: np.ndarray) -> Views:
        """The views of the seats to act at tables, shape (B,) TABLE, with these random numbers, (B,)."""
        seats = tables["seat"].astype(np.int64)
        return cls(rules, hide(tables, seats, rules), seats, uniforms)

    @classmethod
    def join(cls, parts: Sequence[Views]) -> Views:
        """The views of one or more batches of the same rules, one after the other."""
        return cls(
            parts[0].rules,
            np.concatenate([part.tables for part in parts]),
            np.concatenate([part.seats for part in parts]),
            np.concatenate([part.uniforms for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.tables)

    def take(self, rows: np.ndarray) -> Views:
        """The views of some rows, (B,) integers."""
        return Views(self.rules, self.tables.take(rows), self.seats[rows], self.uniforms[rows])

    @cached_property
    def observation(self) -> np.ndarray:
        """(B, D) int8, laid out as `buck_env.LAYOUT` says, suits as they are."""
        return self._encode(canonical=False)[0]

    @cached_property
    def action_mask(self) -> np.ndarray:
        """(B, A) int8: 1 where an action is legal."""
        return self._mask(np.full(len(self), PLAIN, np.int64))

    @cached_property
    def canonical(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Observation (B, D) and mask (B, A) with suits relabelled, and the labels (B,) `original_actions` undoes."""
        observation, labels = self._encode(canonical=True)
        return observation, self._mask(labels), labels

    def _encode(self, canonical: bool) -> tuple[np.ndarray, np.ndarray]:
        observation = np.empty((len(self), OBSERVATION_SIZE), np.int8)
        labels = np.empty(len(self), np.int64)
        encode_rows(self.tables, self.rules.packed(), self.seats, canonical, observation, labels)
        return observation, labels

    def _mask(self, labels: np.ndarray) -> np.ndarray:
        mask = np.empty((len(self), NUM_ACTIONS), np.int8)
        mask_rows(self.tables, self.rules.packed(), labels, mask)
        return mask


def original_actions(actions: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Actions (B,) chosen under labels (B,) as the actions they stand for."""
    originals = np.empty(len(actions), np.int64)
    original_rows(actions, labels, originals)
    return originals


def pick_evenly(mask: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """A legal action of each row of a mask, (B, A), drawn evenly by one uniform number each, (B,)."""
    actions = np.empty(len(mask), np.int64)
    _pick_rows(mask, uniforms, actions)
    return actions


@kernel
def _pick_rows(mask: Any, uniforms: Any, actions: Any) -> None:
    for i in range(len(mask)):
        count = 0
        for action in range(NUM_ACTIONS):
            count += mask[i, action]
        left = np.int64(uniforms[i] * count)
        for action in range(NUM_ACTIONS):
            left -= mask[i, action]
            if left < 0:
                actions[i] = action
                break


@kernel
def _draw(logs: Any, uniforms: Any) -> None:
    for i in range(len(logs)):
        uniforms[i] = uniform(logs[i].seed, logs[i].number, logs[i].steps)
