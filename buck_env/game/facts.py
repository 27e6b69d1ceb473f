"""Facts of a table that several parts ask for: what was taken up and from whom, who sees what, what a seat needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT, left
from buck_env.game.options import Making, StayFrom
from buck_env.game.table import CARD, IN_ORDER, NONE, SEAT_SHIFT

__all__ = [
    "BUCK",
    "WIDOW",
    "dealer_took",
    "exchange_place",
    "held_or_played",
    "needs",
    "ordered",
    "previous_taker",
    "shown_beside",
    "stay_begins",
    "taken_up",
    "turned_down",
    "upcard_taken",
]

BUCK, WIDOW = 4, 5
"""How many cards these have; both lie on top of the cards beside the hands (RULES §2.4, §2.5)."""


@kernel
def turned_down(table: Any) -> bool:
    """Whether the upcard has been turned down: the dealer, the last to be asked, has passed (RULES §5.3)."""
    return table.passed[IN_ORDER] & BIT[table.dealer] != 0


@kernel
def ordered(table: Any, rules: Any) -> bool:
    """Whether trump was made by an order: before the upcard was turned down (RULES §5.1)."""
    return rules.making == Making.ORDER.value and table.maker != NONE and not turned_down(table)


@kernel
def upcard_taken(table: Any, rules: Any) -> bool:
    """Whether the dealer has taken the upcard (RULES §5.2)."""
    return rules.pick_up and ordered(table, rules)


@kernel
def dealer_took(table: Any, rules: Any) -> int:
    """How many cards the dealer has taken up: the buck, the upcard, or none (RULES §2.4, §5.2)."""
    if rules.making == Making.DEALER.value:
        return BUCK
    return np.int64(upcard_taken(table, rules))


@kernel
def exchange_place(table: Any, rules: Any, seat: int) -> int:
    """When the exchange comes to a seat: 0 the dealer's right, 1 the dealer, 2 its left (RULES §4.1)."""
    return (seat - table.dealer + 1 + rules.seats) % rules.seats


@kernel
def previous_taker(table: Any, rules: Any, seat: int) -> int:
    """The seat whose hand this one takes in an exchange, or took; NONE where it is the widow (RULES §4.1, §4.2)."""
    for steps in range(1, exchange_place(table, rules, seat) + 1):
        earlier = left(seat, rules, rules.seats - steps)
        if table.exchanged & BIT[earlier]:
            return earlier
    return NONE


@kernel
def shown_beside(rules: Any, deals: bool, took_widow: bool) -> int:
    """How many of the cards beside the hands, from the top, a seat sees (RULES §13.1, §13.3, §13.4, §13.5)."""
    if took_widow:
        return WIDOW
    if deals and rules.making == Making.DEALER.value:
        return BUCK
    return np.int64(rules.turn_up)


@kernel
def held_or_played(table: Any, seat: int) -> int:
    """The cards a seat holds or has played, a mask."""
    cards = np.int64(table.hand[seat])
    for i in range(table.played):
        if table.plays[i] >> SEAT_SHIFT == seat:
            cards |= BIT[table.plays[i] & CARD]
    return cards


@kernel
def taken_up(table: Any, rules: Any, seat: int) -> int:
    """The cards a seat took up, a mask: the buck, the upcard, the widow or a hand laid down.

    RULES §2.4, §4.1, §4.2, §5.2.
    """
    if table.exchanged & BIT[seat]:
        return held_or_played(table, seat)
    cards = np.int64(0)
    if rules.making == Making.DEALER.value:
        for i in range(BUCK):
            if table.rest[i] >= 0:
                cards |= BIT[table.rest[i]]
    elif rules.pick_up:
        cards = BIT[table.rest[0]] * upcard_taken(table, rules)
    return cards * (seat == table.dealer)


@kernel
def stay_begins(table: Any, rules: Any) -> int:
    """The seat at which the stay round begins, unless it is the maker: the left of the maker, or of the dealer.

    RULES §8.2.
    """
    return left(table.maker if rules.stay_from == StayFrom.MAKER.value else table.dealer, rules, 1)


@kernel
def needs(table: Any, rules: Any, seat: int) -> int:
    """The tricks a seat has to take: the maker what it undertook, any other a stayer's (RULES §10.4, §11.2)."""
    return table.contract if seat == table.maker else rules.stayer_needs
