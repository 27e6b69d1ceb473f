"""What regret minimisation needs of a game: many positions at once, each an entry of an array of the game's own."""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

import numpy as np

__all__ = ["OVER", "Decisions", "Game"]

OVER: Final = -1
"""The player of a position in which the game is over."""


class Decisions(NamedTuple):
    """Who decides in N positions, what they know, and how many options they have."""

    players: np.ndarray
    """(N,) int64: the player to act, or `OVER`;"""
    keys: np.ndarray
    """(N,) int64: its information set, with as many options wherever it is met; players may share some;"""
    counts: np.ndarray
    """(N,) int64: its options, numbered from 0."""


class Game(Protocol):
    """A game that has no chance after the deal."""

    players: int
    width: int
    """The most options that a decision has."""

    def deal(self, numbers: np.ndarray) -> np.ndarray:
        """The first positions (N,) of the deals of these numbers, (N,) int64."""

    def look(self, positions: np.ndarray) -> Decisions:
        """The decisions of positions (N,)."""

    def step(self, positions: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """The positions (N,) after the options chosen (N,) in positions (N,)."""

    def utilities(self, positions: np.ndarray) -> np.ndarray:
        """What positions (N,) that are over bring every player: (N, P) float64."""
