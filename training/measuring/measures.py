"""How much better one agent is than another: edge, gain, and 95% intervals with one cluster a deal.

Duplicate deals: X sits in each seat in turn and Y in the others, and every deal is played in each of these rotations.
What the cards give is then the same for both, and the luck that is left is that of one deal, the cluster.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from agents import Agent
from buck_env.game.rules import Rules
from training.measuring.arena import CHUNK, play_hands

__all__ = [
    "Comparison",
    "Estimate",
    "compare",
    "deal_seeds",
    "edge",
    "edges",
    "gain",
    "gains",
    "holm",
    "own",
    "quantile",
    "rotations",
]


# --- Estimates --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95% interval."""

    mean: float
    low: float
    high: float
    deals: int
    """The clusters it rests on."""

    @classmethod
    def of(cls, values: np.ndarray) -> Estimate:
        """The estimate of one value a deal, shape (deals,)."""
        mean = float(values.sum()) / max(len(values), 1)
        return cls._of(len(values), mean, float(((values - mean) ** 2).sum()))

    @classmethod
    def of_sums(cls, deals: int, total: float, squares: float) -> Estimate:
        """The estimate of the sum of one value a deal and of the sum of its squares."""
        mean = total / max(deals, 1)
        return cls._of(deals, mean, max(squares - total * mean, 0.0))

    @classmethod
    def _of(cls, deals: int, mean: float, apart: float) -> Estimate:
        """The estimate of a mean and the sum of the squared differences from it."""
        if deals < 2:
            raise ValueError(f"an interval needs at least 2 deals, not {deals}")
        half = quantile(deals - 1) * math.sqrt(apart / (deals - 1) / deals)
        return cls(mean, mean - half, mean + half, deals)

    @property
    def deviation(self) -> float:
        """The standard deviation of a deal."""
        return self.half / quantile(self.deals - 1) * math.sqrt(self.deals)

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def p(self) -> float:
        """The two-sided p-value of a mean of 0, by Student's t."""
        if self.half == 0:
            return float(self.mean == 0)
        return float(2 * stdtr(self.deals - 1, -abs(self.mean) / self.half * quantile(self.deals - 1)))

    @property
    def unsigned(self) -> str:
        """The estimate of a share, without a plus sign."""
        return f"{self.mean:.2f} [{self.low:.2f}, {self.high:.2f}]"

    def __str__(self) -> str:
        low, high = (round(bound, 2) + 0.0 for bound in (self.low, self.high))  # + 0.0: no "-0.00"
        return f"{round(self.mean, 2) + 0.0:+.2f} [{low:.2f}, {high:.2f}]"


def quantile(degrees: int) -> float:
    """The 97.5% point of Student's t."""
    return float(stdtrit(degrees, 0.975))


def holm(p: np.ndarray) -> np.ndarray:
    """P-values (m,) corrected by Holm for being m: valid however they hang together, as those of shared deals do."""
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected


# --- Points of duplicate deals ----------------------------------------------------------------------------------------


def rotations(x: int, y: int, seats: int) -> np.ndarray:
    """Who sits where, shape (S, S) int64: in row r, x in seat r and y in the others."""
    lineups = np.full((seats, seats), y)
    np.fill_diagonal(lineups, x)
    return lineups


def own(points: np.ndarray) -> np.ndarray:
    """X's points in each rotation, shape (..., S), of the points (..., S, S) of all seats in each rotation."""
    mine: np.ndarray = np.diagonal(points, axis1=-2, axis2=-1)
    return mine


def edges(points: np.ndarray) -> np.ndarray:
    """X's points less the mean of the others', shape (...): of points (..., S, S), [r, s] seat s with X in seat r."""
    seats = points.shape[-1]
    mine, everyones = own(points).sum(axis=-1), points.sum(axis=(-2, -1))
    # Whole numbers until the division, so that like agents give 0.
    difference: np.ndarray = (seats * mine - everyones) / (seats * (seats - 1))
    return difference


def gains(points: np.ndarray, without: np.ndarray) -> np.ndarray:
    """X's points less what Y scores in that seat, shape (...): `without` (..., S) has Y in every seat."""
    difference: np.ndarray = (own(points) - without).mean(axis=-1)
    return difference


def deal_seeds(seed: int, count: int, stream: int = 0, *, first: int = 0) -> np.ndarray:
    """Seeds of `count` deals from deal `first` on, shape (count,) uint64.

    They go one after the other from a start that `seed` and `stream` fix: more deals of one seed begin with the fewer;
    those of another seed, or of training, are others.
    """
    start = np.random.SeedSequence([seed, stream]).generate_state(1, np.uint64)[0] >> np.uint64(2)
    return np.asarray(start + np.arange(first, first + count, dtype=np.uint64))


# --- One against one --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """What X does among Y's."""

    points: Estimate
    edge: Estimate
    gain: Estimate

    @property
    def beats(self) -> bool:
        """X beats Y."""
        return self.gain.low > 0


def compare(
    rules: Rules,
    x: Agent,
    y: Agent,
    *,
    deals: int = 20_000,
    seed: int = 0,
    chunk: int = CHUNK,
    names: tuple[str, str] = ("X", "Y"),
) -> Comparison:
    """X in each seat in turn and Y in the others, and Y in every seat, on the same deals; errors say their names."""
    seats = rules.seats
    lineups = np.concatenate([rotations(0, 1, seats), np.ones((1, seats), np.int64)])
    seeds = np.repeat(deal_seeds(seed, deals), len(lineups))
    points = play_hands(rules, dict(zip(names, (x, y), strict=True)), np.tile(lineups, (deals, 1)), seeds, chunk=chunk)
    points = points.reshape(deals, seats + 1, seats)
    among, without = points[:, :seats], points[:, seats]
    return Comparison(
        Estimate.of(own(among).mean(axis=1)), Estimate.of(edges(among)), Estimate.of(gains(among, without))
    )


def edge(rules: Rules, x: Agent, y: Agent, *, deals: int = 20_000, seed: int = 0) -> Estimate:
    """X in each seat in turn and Y in the others, same deals: mean points of X's seat less the mean of the others."""
    return compare(rules, x, y, deals=deals, seed=seed).edge


def gain(rules: Rules, x: Agent, y: Agent, *, deals: int = 20_000, seed: int = 0) -> Estimate:
    """X's points less what Y scores in that seat of that deal with Y in every seat."""
    return compare(rules, x, y, deals=deals, seed=seed).gain
