"""What agents did in the hands of an event: counts by agent and by seat from the dealer, and the rates they give."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.facts import ordered
from buck_env.game.rules import Rules
from buck_env.game.table import IN_AUCTION, IN_CALL, IN_ORDER, NONE
from training.measuring.counts import SEAT_COUNTS, count_seat

__all__ = ["BEHAVIOUR", "RATES", "Rate", "count_hands", "rates_told"]

_MAKING: Final = (
    "hands", "exchange_decisions", "exchanges", "order_decisions", "orders", "order_successes",
    "call_decisions", "calls", "call_successes", "auctions", "bids",
)  # fmt: skip
BEHAVIOUR: Final = (*_MAKING, *SEAT_COUNTS)
"""The counts in order."""
_SEAT: Final = len(_MAKING)
_SUCCESSES: Final = BEHAVIOUR.index("successes")


@dataclass(frozen=True)
class Rate:
    """A share of the counts: one of them of another, or where it is no share, their quotient."""

    name: str
    phase: str
    """Which phase it tells of; empty for the whole hand."""
    part: str
    whole: str
    meaning: str
    share: bool = True

    def of(self, counts: np.ndarray) -> tuple[int, int]:
        """The two numbers, of counts (..., C) summed over all but the last axis."""
        part, whole = (int(counts[..., BEHAVIOUR.index(name)].sum()) for name in (self.part, self.whole))
        return part, whole


RATES: Final = (
    Rate("exchanges", "exchange", "exchanges", "exchange_decisions", "exchanges of decisions to exchange or keep"),
    Rate("orders", "order", "orders", "order_decisions", "orders of decisions to order or pass"),
    Rate("order success", "order", "order_successes", "orders", "orders after which it took the tricks it undertook"),
    Rate("calls", "call", "calls", "call_decisions", "suits called of decisions to call or pass"),
    Rate("call success", "call", "call_successes", "calls", "calls after which it took the tricks it undertook"),
    Rate("bids", "bid", "bids", "auctions", "auctions in which it bid, also of those in which it could only pass"),
    Rate("makes", "", "made", "hands", "hands in which it was the maker"),
    Rate("success", "", "successes", "made", "hands it made in which it took the tricks it undertook"),
    Rate("contract", "", "level", "made", "tricks undertaken, the mean of the hands it made", share=False),
    Rate("walkovers", "", "walkovers", "made", "hands it made that all others dropped"),
    Rate("stays", "stay", "stays", "stay_decisions", "stays of decisions to stay or drop"),
    Rate("stay success", "stay", "stay_successes", "stayers", "stays after which it took the tricks it needed"),
    Rate("sweeps", "play", "sweeps", "hands", "hands in which it took all five tricks, walkovers apart"),
)
"""In the order of a hand."""


def rates_told(rules: Rules, counts: np.ndarray) -> list[Rate]:
    """The rates that have anything to tell of counts (..., C): those out of something, and where there is a maker."""
    return [rate for rate in RATES if rate.of(counts)[1] and (rate.part != "made" or rules.making != "dealer")]


def count_hands(tables: np.ndarray, groups: np.ndarray, rules: Rules, counts: np.ndarray) -> None:
    """Add what every seat did at tables, (N,) TABLE, whose hands are over, to counts, (G, S, C) int64.

    `groups` (N, S) int64 says to which of G a seat's count goes, -1: to none. The second axis is the seat from the
    dealer: 0 the one after it, S - 1 the dealer itself.
    """
    _count(tables, groups, rules.packed(), counts)


@kernel
def _count(tables: Any, groups: Any, packed: Any, counts: Any) -> None:
    rules = packed[0]
    for n in range(len(tables)):
        table = tables[n]
        for seat in range(rules.seats):
            if groups[n, seat] >= 0:
                row = counts[groups[n, seat], (seat + rules.seats - 1 - table.dealer) % rules.seats]
                made = row[_SUCCESSES]
                count_seat(table, rules, seat, row, _SEAT)
                _count_making(table, rules, seat, row, row[_SUCCESSES] - made)


@kernel
def _count_making(table: Any, rules: Any, seat: int, row: Any, success: int) -> None:
    """What a seat decided before trump was made."""
    row[0] += 1
    exchanged = table.exchanged >> seat & 1
    row[1] += exchanged + (table.kept >> seat & 1)
    row[2] += exchanged
    bid = False
    for tricks in range(len(table.bidders)):
        bid |= table.bidders[tricks] == seat
    passed = table.passed[IN_AUCTION] >> seat & 1
    row[9] += bid or passed  # whatever was said before, all but the maker pass after the last bid
    row[10] += bid
    makes = table.maker == seat and table.trump != NONE and not bid
    orders = makes and ordered(table, rules)
    called = makes and not orders
    row[3] += orders + (table.passed[IN_ORDER] >> seat & 1)
    row[4] += orders
    row[5] += orders and success > 0
    row[6] += called + (table.passed[IN_CALL] >> seat & 1)
    row[7] += called
    row[8] += called and success > 0
