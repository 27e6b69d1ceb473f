"""Counts of what one seat did in its hands, each a field of a record, for learners and for events alike."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.facts import needs
from buck_env.game.scoring import walked_over
from buck_env.game.table import NONE

__all__ = ["SEAT_COUNTS", "as_numbers", "as_records", "count_seat", "record_of"]

SEAT_COUNTS: Final = (
    "made", "successes", "level",
    "stay_decisions", "stays", "stayers", "stay_successes", "walkovers", "sweeps",
)  # fmt: skip
"""The fields that `count_seat` adds to."""


def record_of(*names: str) -> np.dtype[Any]:
    """The dtype of a record of counts, with a field of int64 for each name."""
    return np.dtype((np.record, [(name, np.int64) for name in names]))


def as_numbers(counts: np.ndarray) -> np.ndarray:
    """Records (...) as numbers (..., C) int64, in the order of their fields. They share memory if they can."""
    return np.ascontiguousarray(counts)[..., None].view(np.int64)


def as_records(numbers: np.ndarray, record: np.dtype[Any]) -> np.ndarray:
    """Numbers (..., C) int64 as records (...). They share memory if they can."""
    return np.ascontiguousarray(numbers).view(record)[..., 0]


@kernel
def count_seat(table: Any, rules: Any, seat: int, counts: Any) -> None:
    """Add what a seat did in a hand that is over to a record that has the fields `SEAT_COUNTS`."""
    maker = table.maker
    alone = walked_over(table, rules)
    enough = table.tricks[seat] >= needs(table, rules, seat)
    if seat != maker:
        stayed, dropped = table.stayed >> seat & 1, table.dropped >> seat & 1
        counts.stay_decisions += stayed + dropped
        counts.stays += stayed
        counts.stayers += stayed
        counts.stay_successes += stayed and enough
    elif table.trump != NONE:
        counts.made += 1
        counts.successes += alone or enough
        counts.level += table.contract
        counts.walkovers += alone
    counts.sweeps += table.tricks[seat] == 5 and not alone
