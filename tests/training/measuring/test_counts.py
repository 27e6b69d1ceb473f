"""What one seat did in a hand, counted from a table written by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from buck_env import load_rules
from buck_env.base.compiled import kernel
from buck_env.game.options import Phase
from buck_env.game.table import NONE, make_tables
from training.measuring.counts import SEAT_COUNTS, as_numbers, as_records, count_seat, record_of

RECORD = record_of("hands", *SEAT_COUNTS)


@kernel
def _count_one(tables: Any, packed: Any, seat: int, counts: Any) -> None:
    count_seat(tables[0], packed[0], seat, counts[0])


def counted(seat: int, rules: str = "dirty-clubs", **fields: Any) -> dict[str, int]:
    """The counts above 0 of a seat at a table that is over: seat 0 bid three in hearts, seat 1 stayed, the rest
    dropped."""
    table = make_tables(1)
    hand = {
        "phase": Phase.OVER, "trump": 2, "maker": 0, "contract": 3, "stayed": 0b0010, "dropped": 0b1100,
        "tricks": [3, 2, 0, 0], "bidders": NONE, "rest": NONE, **fields,
    }  # fmt: skip
    for name, value in hand.items():
        table[name] = value
    counts = np.zeros(1, RECORD)
    _count_one(table, load_rules(rules).packed(), seat, counts)
    return {name: int(counts[name][0]) for name in SEAT_COUNTS if counts[name][0]}


@pytest.mark.parametrize(
    ("seat", "fields", "expected"),
    [
        (0, {}, {"made": 1, "successes": 1, "level": 3}),
        (0, {"tricks": [2, 3, 0, 0]}, {"made": 1, "level": 3}),
        (0, {"tricks": [5, 0, 0, 0]}, {"made": 1, "successes": 1, "level": 3, "sweeps": 1}),
        (0, {"stayed": 0, "dropped": 0b1110, "tricks": 0}, {"made": 1, "successes": 1, "level": 3, "walkovers": 1}),
        (1, {}, {"stay_decisions": 1, "stays": 1, "stayers": 1, "stay_successes": 1}),
        (1, {"tricks": [5, 0, 0, 0]}, {"stay_decisions": 1, "stays": 1, "stayers": 1}),
        (2, {}, {"stay_decisions": 1}),
        (2, {"trump": NONE, "maker": NONE, "contract": 0, "stayed": 0, "dropped": 0, "tricks": 0}, {}),
    ],
)
def test_what_a_seat_did_is_counted_as_a_person_would(
    seat: int, fields: dict[str, Any], expected: dict[str, int]
) -> None:
    assert counted(seat, **fields) == expected


def test_records_and_numbers_are_the_same_memory() -> None:
    counts = np.zeros((2, 3), RECORD)
    as_numbers(counts)[1, 2] = range(len(RECORD.names or ()))
    assert counts["hands"][1, 2] == 0
    assert [int(counts[name][1, 2]) for name in SEAT_COUNTS] == list(range(1, 1 + len(SEAT_COUNTS)))
    assert (as_records(as_numbers(counts), RECORD) == counts).all()
    assert as_numbers(counts).shape == (2, 3, 1 + len(SEAT_COUNTS))
