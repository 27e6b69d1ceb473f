"""What a seat may not know, taken out of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT
from buck_env.game.facts import previous_taker, shown_beside
from buck_env.game.rules import Rules
from buck_env.game.table import HIDDEN, NONE

__all__ = ["hide", "hide_rows", "hide_table"]


@kernel
def hide_table(table: Any, rules: Any, viewer: int) -> None:
    """Others' hands, hands they laid down, the dealer's discards, and the cards beside the hands that stay down.

    RULES §13.2, §13.3, §13.4.
    """
    took_widow = table.exchanged & BIT[viewer] != 0 and previous_taker(table, rules, viewer) == NONE
    for i in range(shown_beside(rules, viewer == table.dealer, took_widow), 9):
        if table.rest[i] != NONE:
            table.rest[i] = HIDDEN
    for seat in range(rules.seats):
        if seat != viewer:
            table.hand[seat] = 0
            table.laid[seat] = 0
    if viewer != table.dealer:
        for i in range(len(table.discards)):
            if table.discards[i] != NONE:
                table.discards[i] = HIDDEN


@kernel
def hide_rows(tables: Any, packed: Any, seats: Any) -> None:
    """Hide in place: row i as seats[i] sees it."""
    for i in range(len(tables)):
        hide_table(tables[i], packed[0], seats[i])


def hide(tables: np.ndarray, seats: np.ndarray, rules: Rules) -> np.ndarray:
    """A copy of tables, shape (B,), each as the seat of the same row, shape (B,), may know it."""
    seen = tables.take(np.arange(len(tables)))  # an array of records copies itself field by field, slowly
    hide_rows(seen, rules.packed(), np.asarray(seats, np.int64))
    return seen
