"""Situations: what a decision of making trump, staying or dropping looks like, with hands that are alike made one.

A situation is one whole number. It says the phase, where the seat, the dealer and the maker (or standing bidder) sit,
what is bid, who stayed and who dropped, what a card that was proposed has to do with it, and the class of the hand
under one trump: which of the four highest trumps it holds, how many lower ones, and how many plain aces, plain kings
and void plain suits. It names no suit, so that hands which differ only in the names of their suits are one situation.

That trump is the trump made or proposed. Where any suit may still be named, it is the one in which the hand has the
most, by the worths that `canonical_suits` goes by, and in `call` it is the only suit that the options offer.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.actions import NAME, NUM_ACTIONS, PASS
from buck_env.game.bits import BIT, count
from buck_env.game.cards import FOLLOW, NO_TRUMP, STRENGTH, SUIT
from buck_env.game.engine import legal
from buck_env.game.facts import upcard_taken
from buck_env.game.options import Making, Phase
from buck_env.game.table import IN_AUCTION
from buck_env.observation.views import Views

__all__ = ["bits_of", "situations_of"]

_WORTH = np.array([3, 3, 10, 4, 5, 6], np.int64)  # 9 T J Q K A as trumps; the left bower is worth 8
_CLASS_BITS: Final = 16
_NOT_TAKEN, _TAKEN, _CALLED = 0, 1, 4
"""What the turned card has to do with it: nothing; the dealer has it or would take it; another suit is trump."""


def situations_of(views: Views) -> tuple[np.ndarray, np.ndarray]:
    """Situations and options of B views of the phases `LEARNED`, (B,) int64 each.

    Options are actions as a mask, a bit each: the legal ones, but of the suits to be named only the best.
    """
    situations, options = np.empty((2, len(views)), np.int64)
    _describe_rows(views.tables, views.rules.packed(), views.seats, situations, options)
    return situations, options


def bits_of(options: np.ndarray) -> np.ndarray:
    """Options (N,), masks, as (N, A) bool."""
    return (options[:, None] >> np.arange(NUM_ACTIONS) & 1).astype(bool)


@kernel
def _describe_rows(tables: Any, packed: Any, seats: Any, situations: Any, options: Any) -> None:
    rules = packed[0]
    for i in range(len(tables)):
        table, seat = tables[i], seats[i]
        actions = legal(table, rules)
        hand = np.int64(table.hand[seat])
        turned = SUIT[NO_TRUMP, table.rest[0]] if rules.turn_up else -1
        if table.phase == Phase.STAY:
            trump = np.int64(table.trump)
        elif table.phase == Phase.ORDER:
            trump = turned
            if rules.pick_up and seat == table.dealer:
                hand |= BIT[table.rest[0]]
        elif table.phase == Phase.CALL:
            trump = _best_suit(hand, actions >> NAME & 15, turned)
            actions = actions & BIT[PASS] | BIT[NAME + trump]
        else:
            trump = _best_suit(hand, 15, -1)
        public = _describe_public(table, rules, seat)
        public = public << 3 | _describe_turned(table, rules, trump, turned)
        situations[i] = public << _CLASS_BITS | _class_of(hand, trump)
        options[i] = actions


@kernel
def _describe_public(table: Any, rules: Any, seat: int) -> int:
    """The phase, and where everybody sits, counted from the dealer."""
    maker = 4 if table.maker < 0 else _place(table, rules, table.maker)
    stayed = dropped = 0
    for other in range(rules.seats):
        place = _place(table, rules, other)
        stayed |= (table.stayed >> other & 1) << place
        dropped |= (table.dropped >> other & 1) << place
    in_a_row = count(np.int64(table.passed[IN_AUCTION]))
    public = np.int64(table.phase) << 2 | _place(table, rules, seat)
    public = public << 3 | maker
    public = public << 4 | np.int64(table.contract)
    public = public << 3 | in_a_row
    return public << 8 | stayed << 4 | dropped


@kernel
def _place(table: Any, rules: Any, seat: int) -> int:
    """How many places a seat is to the left of the dealer."""
    return (np.int64(seat) - table.dealer + rules.seats) % rules.seats


@kernel
def _describe_turned(table: Any, rules: Any, trump: int, turned: int) -> int:
    """Who gets the turned card, and how high a trump it is; or how the trump is related to the suit turned down."""
    if rules.making != Making.ORDER.value:
        return _NOT_TAKEN
    if upcard_taken(table, rules) or (rules.pick_up and table.phase == Phase.ORDER):
        strength = STRENGTH[trump, trump, table.rest[0]]
        return _TAKEN + (strength > 8) + (strength == 13)
    if trump == turned:
        return _NOT_TAKEN
    return _CALLED + (trump + turned == 3) + (trump + turned == 3 and table.rest[0] % 6 == 2)


@kernel
def _best_suit(hand: int, suits: int, turned: int) -> int:
    """Of a set of suits the one worth most as trump.

    Of equals it is the one under which the class of the hand is higher, then the one of the turned suit's colour.
    """
    best = chosen = -1
    for suit in range(4):
        if suits >> suit & 1:
            worth = 8 * (hand >> 6 * (3 - suit) + 2 & 1)
            for rank in range(6):
                worth += _WORTH[rank] * (hand >> 6 * suit + rank & 1)
            value = (worth << _CLASS_BITS | _class_of(hand, suit)) << 1 | (suit + turned == 3)
            if value > best:
                best, chosen = value, suit
    return chosen


@kernel
def _class_of(hand: int, trump: int) -> int:
    """The class of a hand under a trump, a number of `_CLASS_BITS` bits."""
    trumps = hand & FOLLOW[trump, trump] if trump != NO_TRUMP else np.int64(0)
    high = np.int64(0)
    rest = trumps
    while rest:
        low = rest & -rest
        rest ^= low
        strength = np.int64(STRENGTH[trump, trump, count(low - 1)])
        if strength >= 10:  # right bower 13, left bower 12, ace 11, king 10
            high |= 1 << strength - 10
    aces = kings = voids = np.int64(0)
    for suit in range(4):
        if suit != trump:
            cards = hand & ~trumps & 63 << 6 * suit
            aces += cards >> 6 * suit + 5 & 1
            kings += cards >> 6 * suit + 4 & 1
            voids += cards == 0
    return high << 12 | (count(trumps) - count(high)) << 9 | aces << 6 | kings << 3 | voids
