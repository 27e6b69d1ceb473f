"""What the tricks of a hand are worth to a seat, and which of two outcomes it prefers: tables for the solver."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.rules import Rules
from buck_env.game.scoring import played_points

__all__ = ["MAKER", "STAYER", "Outcomes", "outcomes_of"]

STAYER, MAKER = 0, 1
"""The role of a seat that plays: any other's, or `MAKER` plus the contract of the maker."""
ROLES = MAKER + 9


class Outcomes(NamedTuple):
    """The preferences of every role. Seats whose preferences do not differ any more are of one class, which is what
    lets a solver recognise a position that it has met with other tricks taken."""

    points: np.ndarray
    """(R, 6) int64: the points of a role by the tricks it took."""
    kind: np.ndarray
    """(R, 6, 6) int64: the class of a role with so many tricks taken, and so many tricks still to play."""
    rank: np.ndarray
    """(6, C, 6) int64: by tricks still to play and class, the place of each number of further tricks in the order of
    the points that they bring, the worst first; equal points, equal places."""
    extremes: np.ndarray
    """(2, 6, C) int64: the highest and the lowest of these places."""


def outcomes_of(rules: Rules) -> Outcomes:
    """The preferences of every role in a game of these rules."""
    points = np.empty((ROLES, 6), np.int64)
    _write_points(rules.packed(), rules.stayer_needs, points)
    classes: list[dict[tuple[int, ...], int]] = [{} for _ in range(6)]  # by tricks still to play
    kind = np.zeros((ROLES, 6, 6), np.int64)
    for role in range(ROLES):
        for taken in range(6):
            for to_play in range(6 - taken):
                _, places = np.unique(points[role, taken : taken + to_play + 1], return_inverse=True)
                known = classes[to_play]
                kind[role, taken, to_play] = known.setdefault(tuple(places.tolist()), len(known))
    most = max(map(len, classes))
    rank = np.zeros((6, most, 6), np.int64)
    extremes = np.zeros((2, 6, most), np.int64)
    for to_play, known in enumerate(classes):
        for order, place in known.items():
            rank[to_play, place, : to_play + 1] = order
            extremes[:, to_play, place] = max(order), min(order)
    return Outcomes(points, kind, rank, extremes)


@kernel
def _write_points(packed: Any, stayer_needs: int, points: Any) -> None:
    rules = packed[0]
    for role in range(len(points)):
        makes = role >= MAKER
        need = role - MAKER if makes else stayer_needs
        for tricks in range(6):
            points[role, tricks] = played_points(rules, makes, need, tricks)
