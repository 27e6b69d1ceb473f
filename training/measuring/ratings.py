"""Ratings of agents by maximum likelihood, with bootstrap intervals over deals.

They are those of Bradley and Terry. At each table every two seats of different agents are compared: more points toward
the target win, and equal points are half a win each. Only sums enter, so that the order of play does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["REPLICATES", "Compared", "Rating", "rate", "separate_groups"]

REPLICATES = 200
"""The number of bootstrap samples of the deals."""
_STEP = 400 / np.log(10)
"""Elo's unit, in which odds of ten to one are 400."""


@dataclass(frozen=True)
class Rating:
    """An agent's rating in Elo's unit and its 95% interval. The mean of all agents is 0."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:+.0f} [{self.low:.0f}, {self.high:.0f}]"


class Compared:
    """Which two seats of a table are compared, and the sums from which ratings follow.

    `seatings` (M, S) holds the number of the agent in each seat; in no row are all the same.
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

        Row 0 counts each deal once. The other rows count it by weights that the Bayesian bootstrap draws (Rubin 1981).
        The weights are independent and exponential of mean 1, and do not depend on how many deals will follow.
        """
        signs = np.sign(scores[:, self._row, self._first] - scores[:, self._row, self._second])
        net = np.add.reduceat(signs, self._starts, axis=1, dtype=np.float64)
        weights = np.ones((1 + REPLICATES, len(scores)))
        weights[1:] = np.random.default_rng([seed, block]).standard_exponential((REPLICATES, len(scores)))
        return weights @ np.concatenate([np.ones((len(net), 1)), net], axis=1)

    def drawn(self) -> np.ndarray:
        """The wins (K, K) of one deal in which all comparisons are draws."""
        return self.matrices(np.eye(1, self.shape[1])[0])

    def matrices(self, sums: np.ndarray) -> np.ndarray:
        """The wins of x over y at [x, y], shape (..., K, K) float64, from sums (..., 1 + pairs)."""
        deals, net = sums[..., :1], sums[..., 1:]
        matrices = np.zeros((*sums.shape[:-1], self._agents**2))
        swapped = self._pairs % self._agents * self._agents + self._pairs // self._agents
        matrices[..., self._pairs] = (deals * self._counts + net) / 2
        matrices[..., swapped] = (deals * self._counts - net) / 2
        return matrices.reshape(*sums.shape[:-1], self._agents, self._agents)


def rate(wins: np.ndarray, drawn: np.ndarray) -> list[Rating]:
    """The ratings of K agents from wins (1 + replicates, K, K): those of the event, then those of bootstrap samples.

    `drawn` (K, K) holds the wins of one deal in which all comparisons are draws. It is added to the event, so that the
    strengths of a whitewash stay finite; in a bootstrap sample its weight is drawn as that of any deal is, so that
    the interval of a whitewash is as wide as what is not known.
    """
    weights = np.ones(len(wins))
    weights[1:] = np.random.default_rng(0).standard_exponential(len(wins) - 1)
    found = np.array([_fit(matrix) for matrix in wins + weights[:, None, None] * drawn]) * _STEP
    low, high = np.percentile(found[1:], [2.5, 97.5], axis=0)
    return [Rating(*map(float, figures)) for figures in zip(found[0], low, high, strict=True)]


def _fit(wins: np.ndarray) -> np.ndarray:
    """The most likely strengths, shape (K,), of mean 0."""
    from choix import ilsr_pairwise_dense

    strengths: np.ndarray = ilsr_pairwise_dense(wins, max_iter=1000)
    return strengths - strengths.mean()


def separate_groups(wins: np.ndarray) -> list[list[int]]:
    """The K agents in groups, the strongest first, such that a group won every comparison with those after it.

    One group where no agents can be separated so: only then are the most likely strengths finite.
    """
    from scipy.sparse.csgraph import connected_components

    count, group = connected_components(wins > 0, connection="strong")
    after = [np.count_nonzero(wins[group == g][:, group != g].any(axis=0)) for g in range(count)]
    return [np.flatnonzero(group == g).tolist() for g in sorted(range(count), key=lambda g: -after[g])]
