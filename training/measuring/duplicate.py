"""Duplicate deals: X sits in each seat in turn and Y in the others, and each deal is played in all these rotations.

The cards then favour both alike. What luck remains is that of one deal, which is the cluster of the statistics.
"""

from __future__ import annotations

import numpy as np

__all__ = ["deal_seeds", "edge_numerators", "gain_numerators", "own", "rotations"]


def rotations(x: int, y: int, seats: int) -> np.ndarray:
    """Who sits where, shape (S, S) int64: in row r, x in seat r and y in the others."""
    lineups = np.full((seats, seats), y)
    np.fill_diagonal(lineups, x)
    return lineups


def own(points: np.ndarray) -> np.ndarray:
    """X's points in each rotation, shape (..., S), of the points (..., S, S) of all seats in each rotation."""
    mine: np.ndarray = np.diagonal(points, axis1=-2, axis2=-1)
    return mine


def edge_numerators(points: np.ndarray) -> np.ndarray:
    """S(S - 1) times X's mean points less the mean of the others', shape (...): whole numbers of whole points.

    `points` (..., S, S): [r, s] is what seat s scores with X in seat r.
    """
    difference: np.ndarray = points.shape[-1] * own(points).sum(axis=-1) - points.sum(axis=(-2, -1))
    return difference


def gain_numerators(points: np.ndarray, without: np.ndarray) -> np.ndarray:
    """S times X's mean points less what Y scores in its seat, shape (...): `without` (..., S) has Y in every seat."""
    difference: np.ndarray = (own(points) - without).sum(axis=-1)
    return difference


def deal_seeds(seed: int, count: int, stream: int = 0, *, first: int = 0) -> np.ndarray:
    """The seeds of `count` deals from deal `first` on, shape (count,) uint64.

    They are consecutive numbers from a start that `seed` and `stream` determine. More deals of one seed therefore begin
    with the same deals as fewer, and another seed has other deals, as has training.
    """
    start = np.random.SeedSequence([seed, stream]).generate_state(1, np.uint64)[0] >> np.uint64(2)
    return np.asarray(start + np.arange(first, first + count, dtype=np.uint64))
