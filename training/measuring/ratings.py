"""Ratings of agents by maximum likelihood, with bootstrap intervals over deals.

Bradley-Terry: at each table every two seats of different agents are compared; more points toward the target win, equal
points are half a win each. Only sums enter, so that the order of play plays no part.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["REPLICATES", "Compared", "Rating", "rate"]

REPLICATES = 200
"""Bootstrap samples of the deals."""
_STEP = 400 / np.log(10)
"""Elo's unit: 400 are odds of ten to one."""


@dataclass(frozen=True)
class Rating:
    """An agent's rating in Elo's unit, the mean of all agents 0, and its 95% interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.0f} [{self.low:.0f}, {self.high:.0f}]"


class Compared:
    """Which two seats of a table are compared, and the sums that ratings follow from.

    `seatings` (M, S) says by its number which of K agents sits in each seat; no row is of one agent alone.
    """

    def __init__(self, seatings: np.ndarray, agents: int) -> None:
        seats = seatings.shape[1]
        self._agents = agents
        rows, one, other = [], [], []
        for s in range(seats):
            for t in range(seats):
                different = np.flatnonzero(seatings[:, s] < seatings[:, t])
                rows.append(different)
                one.append(np.full(len(different), s))
                other.append(np.full(len(different), t))
        row, first, second = (np.concatenate(part) for part in (rows, one, other))
        pair = seatings[row, first] * agents + seatings[row, second]
        order = np.argsort(pair, kind="stable")
        self._row, self._first, self._second = row[order], first[order], second[order]
        self._pairs, self._starts, self._counts = np.unique(pair[order], return_index=True, return_counts=True)

    @property
    def shape(self) -> tuple[int, int]:
        """The shape of `wins`: (1 + REPLICATES, pairs of agents and their comparisons)."""
        return 1 + REPLICATES, 1 + len(self._pairs)

    def wins(self, scores: np.ndarray, seed: int, block: int) -> np.ndarray:
        """Sums over the deals of a block, scores (n, M, S): deals, then wins less losses of each pair of agents.

        Row 0 counts each deal once, each other row by weights that the Bayesian bootstrap draws (Rubin 1981): they are
        exponential of mean 1, independent, and need not know how many deals will follow.
        """
        signs = np.sign(scores[:, self._row, self._first] - scores[:, self._row, self._second])
        net = np.add.reduceat(signs, self._starts, axis=1, dtype=np.float64)
        weights = np.ones((1 + REPLICATES, len(scores)))
        weights[1:] = np.random.default_rng([seed, block]).standard_exponential((REPLICATES, len(scores)))
        return weights @ np.concatenate([np.ones((len(net), 1)), net], axis=1)

    def matrices(self, sums: np.ndarray) -> np.ndarray:
        """Wins, shape (..., K, K) float64: [x, y] of x over y, of sums (..., 1 + pairs)."""
        deals, net = sums[..., :1], sums[..., 1:]
        matrices = np.zeros((*sums.shape[:-1], self._agents**2))
        swapped = self._pairs % self._agents * self._agents + self._pairs // self._agents
        matrices[..., self._pairs] = (deals * self._counts + net) / 2
        matrices[..., swapped] = (deals * self._counts - net) / 2
        return matrices.reshape(*sums.shape[:-1], self._agents, self._agents)


def rate(wins: np.ndarray) -> list[Rating]:
    """The ratings of K agents of wins (1 + replicates, K, K): of the event, then of its bootstrap samples."""
    found = np.array([_fit(matrix) for matrix in wins]) * _STEP  # (1 + replicates, K)
    low, high = np.percentile(found[1:], [2.5, 97.5], axis=0)
    return [Rating(*map(float, figures)) for figures in zip(found[0], low, high, strict=True)]


def _fit(wins: np.ndarray) -> np.ndarray:
    """The most likely strengths, shape (K,), their mean 0; half a win more for each keeps a whitewash finite."""
    from choix import ilsr_pairwise_dense

    strengths: np.ndarray = ilsr_pairwise_dense(wins + 0.5 * ~np.eye(len(wins), dtype=np.bool_), max_iter=1000)
    return strengths - strengths.mean()
