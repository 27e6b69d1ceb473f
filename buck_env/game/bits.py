"""Sets as bits, and seats clockwise: what the engine's parts share."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.actions import NUM_ACTIONS

__all__ = ["BIT", "count", "left", "next_in", "nth", "only"]

BIT = np.left_shift(1, np.arange(NUM_ACTIONS), dtype=np.int64)
"""(43,) int64: the bit of an action; of a card in a hand; of a seat in a set of seats."""


def _next_in_table() -> np.ndarray:
    table = np.zeros((5, 16, 4), np.int64)
    for seats in (3, 4):
        for out in range(16):
            for seat in range(seats):
                after = [(seat + steps) % seats for steps in range(1, seats + 1)]
                table[seats, out, seat] = next((s for s in after if not out >> s & 1), seat)
    return table


_NEXT_IN = _next_in_table()
"""(5, 16, 4): by number of seats and the seats that are out, the next seat clockwise of each that is not."""


@kernel
def left(seat: int, rules: Any, steps: int) -> int:
    """The seat so many places clockwise, at most once round (RULES §1.7)."""
    place = seat + steps
    return place - rules.seats if place >= rules.seats else place


@kernel
def next_in(seat: int, rules: Any, out: int) -> int:
    """The next seat clockwise that is not out."""
    return _NEXT_IN[rules.seats, out, seat]


@kernel
def count(members: int) -> int:
    """The number of members of a set of seats, cards or actions: of at most 56 bits.

    In this form the compiler knows it for one instruction of the processor.
    """
    mask = int(np.int64(members))
    mask = mask - (mask >> 1 & 0x5555555555555555)
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F
    return mask * 0x0101010101010101 >> 56 & 0x7F


@kernel
def nth(members: int, n: Any) -> int:
    """The n-th member of a set, from 0, the lowest first; the set has more than n."""
    for _ in range(n):
        members &= members - 1
    return count((members & -members) - 1)


@kernel
def only(members: int) -> int:
    """The one member of a set, or the highest of more."""
    member = 0
    while members >> member > 1:
        member += 1
    return member
