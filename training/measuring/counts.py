"""Counts of what one seat did in a hand, for learners and for events alike."""

from __future__ import annotations

from typing import Any, Final

from buck_env.base.compiled import kernel
from buck_env.game.facts import needs
from buck_env.game.scoring import walked_over
from buck_env.game.table import NONE

__all__ = ["SEAT_COUNTS", "count_seat"]

SEAT_COUNTS: Final = (
    "made", "successes", "level",
    "stay_decisions", "stays", "stayers", "stay_successes", "walkovers", "sweeps",
)  # fmt: skip
"""What `count_seat` counts of one seat, in order."""


@kernel
def count_seat(table: Any, rules: Any, seat: int, counts: Any, at: int) -> None:
    """Add what a seat did in a hand that is over to counts, (C,), where those of `SEAT_COUNTS` begin `at` a place."""
    maker = table.maker
    alone = walked_over(table, rules)
    enough = table.tricks[seat] >= needs(table, rules, seat)
    if seat != maker:
        stayed, dropped = table.stayed >> seat & 1, table.dropped >> seat & 1
        counts[at + 3] += stayed + dropped
        counts[at + 4] += stayed
        counts[at + 5] += stayed
        counts[at + 6] += stayed and enough
    elif table.trump != NONE:
        counts[at] += 1
        counts[at + 1] += alone or enough
        counts[at + 2] += table.contract
        counts[at + 7] += alone
    counts[at + 8] += table.tricks[seat] == 5 and not alone
