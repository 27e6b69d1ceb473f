"""The figures of a deal: whole numbers of which every measure of an event is a weighted sum.

A deal of K agents has F figures. For each ordered pair there are the scores of x among y's, and S times these less the
scores of everyone. For each agent there are S times its scores in mixed line-ups less the scores of everyone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from training.tournament.lineups import Lineups

__all__ = ["Figures", "Quantity", "Weights"]

Quantity = Literal["points", "edge", "gain"]


@dataclass(frozen=True)
class Weights:
    """The weights of a sum of the figures: whole numbers over one denominator, so that nothing is rounded."""

    numerators: np.ndarray
    """(F,) int64."""
    denominator: int

    def __sub__(self, other: Weights) -> Weights:
        return Weights(
            self.numerators * other.denominator - other.numerators * self.denominator,
            self.denominator * other.denominator,
        )

    def over(self, denominator: int) -> Weights:
        """The weights of the same sum, divided by a whole number."""
        return Weights(self.numerators, self.denominator * denominator)


@dataclass(frozen=True)
class Figures:
    """The figures of deals that are played in these line-ups."""

    lineups: Lineups

    @property
    def count(self) -> int:
        """F, the number of figures."""
        return 2 * self.lineups.agents**2 + self.lineups.agents

    def of(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The figures (n, F) of n deals of scores (n, M, S) int64, and the squares of single hands (2, K, K); int64."""
        n, seats, pairs = len(scores), self.lineups.seats, self.lineups.pairs
        beyond = seats * scores - scores.sum(axis=2, keepdims=True)  # (n, M, S)
        own = scores[:, pairs, np.arange(seats)]  # (n, K, K, S): x's in seat r
        own_beyond = beyond[:, pairs, np.arange(seats)]
        mixed = beyond[:, self.lineups.mixed].reshape(n, -1) @ self._sitting
        figures = np.concatenate([own.sum(axis=3).reshape(n, -1), own_beyond.sum(axis=3).reshape(n, -1), mixed], axis=1)
        return figures, np.stack([(own**2).sum(axis=(0, 3)), (own_beyond**2).sum(axis=(0, 3))])

    @cached_property
    def _sitting(self) -> np.ndarray:
        """Who sits in each seat of each rotation of each mixed line-up, shape (N * S * S, K), 1 or 0."""
        seated = self.lineups.seatings[self.lineups.mixed].reshape(-1, 1)
        return (seated == np.arange(self.lineups.agents)).astype(np.int64)

    def weights(self, quantity: Quantity, x: int, others: list[int]) -> Weights:
        """The weights of the mean of a quantity of x among each of the others."""
        agents, seats = self.lineups.agents, self.lineups.seats
        numerators = np.zeros(self.count, np.int64)
        for y in others:
            if quantity == "edge":
                numerators[agents**2 + x * agents + y] += 1
            else:
                numerators[x * agents + y] += 1
                if quantity == "gain":
                    numerators[y * agents + y] -= 1
        return Weights(numerators, seats * len(others) * (seats - 1 if quantity == "edge" else 1))

    def mixed_weights(self, x: int) -> Weights:
        """The weights of x's points less the mean of the others' at its table, in mixed line-ups."""
        numerators = np.zeros(self.count, np.int64)
        numerators[2 * self.lineups.agents**2 + x] = 1
        return Weights(numerators, max(int(self._sitting[:, x].sum()), 1) * (self.lineups.seats - 1))
