"""What a seat knows of its own cards beyond those it holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.game.bits import BIT
from buck_env.game.engine import CARD, SEAT_SHIFT
from buck_env.game.options import Making
from buck_env.game.table import NONE

__all__ = ["held_or_played", "taken"]


@kernel
def taken(table: Any, rules: Any, viewer: int) -> int:
    """The cards a seat took up, a mask: known to it, and what makes its first hand known again."""
    if table.exchanged & BIT[viewer]:
        return held_or_played(table, viewer)
    cards = np.int64(0)
    if rules.making == Making.DEALER:
        for i in range(4):
            if table.rest[i] >= 0:
                cards |= BIT[table.rest[i]]
    elif rules.pick_up:
        cards = BIT[table.rest[0]] * ((table.maker != NONE) & ~(table.passed[0] >> viewer) & 1)
    return cards * (viewer == table.dealer)


@kernel
def held_or_played(table: Any, viewer: int) -> int:
    """The cards a seat holds or has played, a mask."""
    cards = np.int64(table.hand[viewer])
    for i in range(table.played):
        if table.plays[i] >> SEAT_SHIFT == viewer:
            cards |= BIT[table.plays[i] & CARD]
    return cards
