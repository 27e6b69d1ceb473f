"""The deal, and the exchange of a hand for the widow."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.actions import EXCHANGE, KEEP
from buck_env.game.bits import BIT, left
from buck_env.game.facts import WIDOW, exchange_place, previous_taker
from buck_env.game.making import open_making
from buck_env.game.options import Exchange, Phase
from buck_env.game.table import NONE

__all__ = ["apply_exchange", "deal", "legal_exchange"]


@kernel
def deal(table: Any, rules: Any, pack: Any, dealer: int) -> None:
    """Deal a shuffled pack of 24 to seats 0, 1, …, five each, the rest beside; scores and hands played stay.

    RULES §2.1, §2.5.
    """
    for seat in range(len(table.hand)):
        table.hand[seat] = 0
        table.laid[seat] = 0
        table.tricks[seat] = 0
        table.deltas[seat] = 0
    for i in range(len(table.discards)):
        table.discards[i] = NONE
    for i in range(len(table.rest)):
        table.rest[i] = NONE
    for i in range(24):
        seat = i // 5
        if seat < rules.seats:
            table.hand[seat] = table.hand[seat] | BIT[pack[i]]
        else:
            table.rest[i - 5 * rules.seats] = pack[i]
    for i in range(len(table.plays)):
        table.plays[i] = 0
    for i in range(len(table.starts)):
        table.starts[i] = NONE
    for i in range(len(table.bidders)):
        table.bidders[i] = NONE
    for i in range(len(table.passed)):
        table.passed[i] = 0
    table.dealer = dealer
    table.maker = NONE
    table.trump = NONE
    table.contract = 0
    table.exchanged = 0
    table.kept = 0
    table.stayed = 0
    table.dropped = 0
    table.reneged = 0
    table.played = 0
    table.trick = 0
    table.winners = 0
    if rules.exchange == Exchange.NONE.value:
        open_making(table, rules)
    else:
        table.phase = Phase.EXCHANGE
        table.seat = left(dealer, rules, rules.seats - 1)


@kernel
def legal_exchange(table: Any, rules: Any) -> int:
    """Exchange the hand, or keep it (RULES §4.1)."""
    return BIT[EXCHANGE] | BIT[KEEP]


@kernel
def apply_exchange(table: Any, rules: Any, action: int) -> None:
    """A taker lays its hand down; the first ends the exchange, or every seat is asked (RULES §4.1, §4.2, §4.3)."""
    seat = table.seat
    if action == EXCHANGE:
        new = _face_down(table, rules)
        table.laid[seat] = table.hand[seat]
        table.hand[seat] = new
        table.exchanged |= BIT[seat]
    else:
        table.kept |= BIT[seat]
    taken = action == EXCHANGE and rules.exchange == Exchange.FIRST.value
    if taken or exchange_place(table, rules, seat) == rules.seats - 1:
        open_making(table, rules)
    else:
        table.seat = left(seat, rules, 1)


@kernel
def _face_down(table: Any, rules: Any) -> int:
    """What the seat to act gets: the hand last laid down, at first the widow (RULES §4.1, §4.2)."""
    earlier = previous_taker(table, rules, table.seat)
    if earlier != NONE:
        return np.int64(table.laid[earlier])
    widow = np.int64(0)
    for i in range(WIDOW):
        if table.rest[i] >= 0:
            widow |= BIT[table.rest[i]]
    return widow
