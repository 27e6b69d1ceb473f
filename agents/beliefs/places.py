"""Where the cards that a seat does not see may be: the places of a table that are open, and what fits into each."""

from __future__ import annotations

from math import comb
from typing import Any, Final

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT, count, left
from buck_env.game.cards import FOLLOW, SUIT
from buck_env.game.facts import BUCK, WIDOW, dealer_took, exchange_place, upcard_taken
from buck_env.game.options import Making
from buck_env.game.table import CARD, HIDDEN, NONE, SEAT_SHIFT

__all__ = [
    "DISCARDED",
    "LAID",
    "NUM_PLACES",
    "PLACE",
    "REST",
    "last_taker",
    "next_taker",
    "open_places",
    "taken_beside",
]

DISCARDED, LAID, REST, NUM_PLACES = 4, 5, 6, 7
"""Places 0..3 are the hands by seat; then the discards, the hand laid down last, the cards that nobody took."""

PLACE: Final = np.dtype((np.record, [("missing", "i8"), ("barred", "i8"), ("held", "i8"), ("needed", "i8")]))
"""One place: how many cards are missing, which cannot be there, and which are known to be; of `needed`, where it is not
0, one at least is held."""


WAYS = np.array([[comb(n, k) for k in range(25)] for n in range(25)], np.float64)
"""(25, 25): the ways to choose k of n cards."""


@kernel
def last_taker(table: Any, rules: Any) -> int:
    """The seat whose hand was laid down last in the exchange; NONE where there is none (RULES §4.3)."""
    found = NONE
    for seat in range(rules.seats):
        if table.exchanged & BIT[seat] and next_taker(table, rules, seat) == NONE:
            found = seat
    return found


@kernel
def next_taker(table: Any, rules: Any, seat: int) -> int:
    """The seat that took the hand which this one laid down; NONE where nobody did (RULES §4.2)."""
    for steps in range(1, rules.seats - exchange_place(table, rules, seat)):
        later = left(seat, rules, steps)
        if table.exchanged & BIT[later]:
            return later
    return NONE


@kernel
def taken_beside(table: Any, rules: Any) -> int:
    """How many of the cards beside the hands, from the top, are now a seat's: the buck or the widow taken."""
    if rules.making == Making.DEALER.value:
        return BUCK
    return WIDOW if table.exchanged else 0


@kernel
def open_places(table: Any, rules: Any, viewer: int, places: Any) -> int:
    """Fill `places`, (NUM_PLACES,) PLACE, for a table as one seat sees it; returns the cards to put there, a mask.

    Cards that the table shows in the hands of others are known to be there.
    """
    for i in range(NUM_PLACES):
        places[i].missing = 0
        places[i].barred = 0
        places[i].held = 0
        places[i].needed = 0
    dealer = table.dealer
    seen = np.int64(table.hand[viewer]) | np.int64(table.laid[viewer])
    made = 0
    for i in range(4):
        made += table.discards[i] != NONE
        places[DISCARDED].missing += table.discards[i] == HIDDEN
        if table.discards[i] >= 0:
            seen |= BIT[table.discards[i]]
    for i in range(9):
        if table.rest[i] >= 0:
            seen |= BIT[table.rest[i]]
        elif table.rest[i] == HIDDEN and i >= taken_beside(table, rules):
            places[REST].missing += 1
    for seat in range(rules.seats):
        if seat != viewer:
            places[seat].missing = 5 + (dealer_took(table, rules) - made) * (seat == dealer)
            places[seat].held = np.int64(table.hand[seat])
    taker = last_taker(table, rules)
    if taker != NONE and taker != viewer:
        places[LAID].held = np.int64(table.laid[taker])
        places[LAID].missing = 5 - count(places[LAID].held)
    if table.exchanged & BIT[viewer] and taker != viewer:
        places[next_taker(table, rules, viewer)].held = np.int64(table.laid[viewer])
    seen |= _follow_plays(table, viewer, places)
    _place_upcard(table, rules, viewer, made, places)
    upcard = BIT[table.rest[0]] if upcard_taken(table, rules) and viewer != dealer else np.int64(0)
    if upcard and not _is_at_home(table, dealer):
        seen &= ~upcard
    for seat in range(rules.seats):
        if seat != viewer:
            places[seat].missing -= count(places[seat].held)
            seen |= places[seat].held
            if places[seat].held & places[seat].needed:
                places[seat].needed = 0
    return 0xFFFFFF & ~(seen | places[DISCARDED].held | places[LAID].held)


@kernel
def _follow_plays(table: Any, viewer: int, places: Any) -> int:
    """What the plays show of each hand: a seat that did not follow held no card of the suit, or, where it reneged,
    one at least; returns the cards played (RULES §9.2, §10.1)."""
    played = np.int64(0)
    trick = -1
    led = 0
    for i in range(table.played):
        card, seat = table.plays[i] & CARD, table.plays[i] >> SEAT_SHIFT
        played |= BIT[card]
        suit = SUIT[table.trump, card]
        if i == table.starts[trick + 1]:
            trick += 1
            led = suit
        if seat == viewer:
            continue
        places[seat].missing -= 1
        places[seat].held &= ~BIT[card]
        if suit != led:
            if table.reneged & BIT[seat] and _is_last(table, i, seat):
                places[seat].needed = FOLLOW[table.trump, led]
            else:
                places[seat].barred |= FOLLOW[table.trump, led]
    return played


@kernel
def _is_last(table: Any, place: int, seat: int) -> bool:
    """Whether no later play is the same seat's."""
    last = True
    for i in range(place + 1, table.played):
        last &= table.plays[i] >> SEAT_SHIFT != seat
    return last


@kernel
def _is_at_home(table: Any, dealer: int) -> bool:
    """Whether the table shows where the upcard that the dealer took is now: in its hand, discarded or played."""
    upcard = table.rest[0]
    found = table.hand[dealer] & BIT[upcard] != 0
    for i in range(4):
        found |= table.discards[i] == upcard
    for i in range(table.played):
        found |= table.plays[i] & CARD == upcard
    return found


@kernel
def _place_upcard(table: Any, rules: Any, viewer: int, made: int, places: Any) -> None:
    """The upcard that another seat took is in its hand or discarded, and nowhere else (RULES §5.2, §7.6)."""
    dealer = table.dealer
    if not upcard_taken(table, rules) or viewer == dealer or _is_at_home(table, dealer):
        return
    upcard = BIT[table.rest[0]]
    if places[DISCARDED].missing and rules.discard_upcard and not places[dealer].barred & upcard:
        for i in range(NUM_PLACES):
            if i != dealer and i != DISCARDED:
                places[i].barred |= upcard
    elif places[DISCARDED].missing and rules.discard_upcard:
        places[DISCARDED].held |= upcard
        places[DISCARDED].missing -= 1
    else:
        places[dealer].held |= upcard
