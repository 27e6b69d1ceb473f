"""The decisions of a hand so far, as the table shows them to everybody: who did what, and what all could see then."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.options import Phase
from buck_env.game.table import HIDDEN, LONGEST_HAND, NONE
from buck_env.records.retrace import deal_again, is_same, take_again, taken_by

__all__ = ["recall_decisions"]


@kernel
def recall_decisions(seen: Any, rules: Any, viewer: int, now: Any, tables: Any, actions: Any) -> int:
    """Fill in the decisions of all others in the hand of a table as `viewer` sees it; returns their number.

    `tables`, (LONGEST_HAND,) TABLE, gets the table before each, with everything hidden that is not public; `actions`
    what was done, HIDDEN for a discard that the viewer did not see. `now` is room for one table.
    """
    _deal_hidden(seen, rules, now)
    found = 0
    for _ in range(LONGEST_HAND):
        if is_same(now, seen):
            break
        seat = now.seat
        action = taken_by(now, seen)
        if seat != viewer:
            tables[found] = now
            actions[found] = action
            found += 1
        take_again(now, seen, rules, HIDDEN if now.phase == Phase.DISCARD else action)
        _hide_hands(now)
    return found


@kernel
def _deal_hidden(seen: Any, rules: Any, now: Any) -> None:
    """The table as it was dealt, with the upcard alone to be seen."""
    pack = np.arange(24)
    top = 5 * np.int64(rules.seats)
    if rules.turn_up:
        pack[top], pack[seen.rest[0]] = pack[seen.rest[0]], pack[top]
    deal_again(now, seen, rules, pack)
    for i in range(np.int64(rules.turn_up), 9):
        if now.rest[i] != NONE:
            now.rest[i] = HIDDEN
    _hide_hands(now)


@kernel
def _hide_hands(table: Any) -> None:
    for seat in range(4):
        table.hand[seat] = 0
        table.laid[seat] = 0
