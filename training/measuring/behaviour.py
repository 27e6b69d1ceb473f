"""What agents did in the hands of an event: counts by agent and by seat from the dealer, and rates of these counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.facts import ordered
from buck_env.game.options import Making
from buck_env.game.rules import Rules
from buck_env.game.table import IN_AUCTION, IN_CALL, IN_ORDER, NONE
from training.measuring.counts import SEAT_COUNTS, count_seat, record_of

__all__ = ["BEHAVIOUR", "RATES", "Rate", "count_hands", "rates_of"]

BEHAVIOUR: Final = record_of(
    "hands", "exchange_decisions", "exchanges", "order_decisions", "orders", "order_successes",
    "call_decisions", "calls", "call_successes", "auctions", "bids",
    *SEAT_COUNTS,
)  # fmt: skip
"""The record of an agent's counts."""


@dataclass(frozen=True)
class Rate:
    """The quotient of two counts, which is a share or else a mean."""

    name: str
    phase: str
    """The phase that it describes; empty for the whole hand."""
    part: str
    whole: str
    meaning: str
    share: bool = True

    def of(self, counts: np.ndarray) -> tuple[int, int]:
        """The part and the whole, each summed over records (...) BEHAVIOUR."""
        return int(counts[self.part].sum()), int(counts[self.whole].sum())


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


def rates_of(rules: Rules, counts: np.ndarray) -> list[Rate]:
    """The rates that are out of more than 0 in records (...) BEHAVIOUR; those of makers only where there are makers."""
    makers = rules.making is not Making.DEALER
    return [rate for rate in RATES if rate.of(counts)[1] and (makers or rate.part != "made")]


def count_hands(tables: np.ndarray, groups: np.ndarray, rules: Rules, counts: np.ndarray) -> None:
    """Add what every seat did at tables (N,) TABLE whose hands are over to counts (G, S) BEHAVIOUR.

    `groups` (N, S) int64 holds the row to which a seat's counts go; those of a seat with -1 go nowhere. The second
    axis is the seat from the dealer: 0 is the seat after the dealer, and S - 1 the dealer itself.
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
                before = row.successes
                count_seat(table, rules, seat, row)
                _count_making(table, rules, seat, row, row.successes - before)


@kernel
def _count_making(table: Any, rules: Any, seat: int, row: Any, success: int) -> None:
    """Count what a seat decided before trump was made."""
    row.hands += 1
    exchanged = table.exchanged >> seat & 1
    row.exchange_decisions += exchanged + (table.kept >> seat & 1)
    row.exchanges += exchanged
    bid = False
    for tricks in range(len(table.bidders)):
        bid |= table.bidders[tricks] == seat
    passed = table.passed[IN_AUCTION] >> seat & 1
    row.auctions += bid or passed  # whatever was said before, all but the maker pass after the last bid
    row.bids += bid
    makes = table.maker == seat and table.trump != NONE and not bid
    orders = makes and ordered(table, rules)
    called = makes and not orders
    row.order_decisions += orders + (table.passed[IN_ORDER] >> seat & 1)
    row.orders += orders
    row.order_successes += orders and success > 0
    row.call_decisions += called + (table.passed[IN_CALL] >> seat & 1)
    row.calls += called
    row.call_successes += called and success > 0
