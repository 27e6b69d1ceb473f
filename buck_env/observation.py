"""Encode one seat's view of a table as int8, with suits as they are or relabelled (`canonical`)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buck_env.actions import NAME, NUM_ACTIONS, PASS
from buck_env.cards import NO_TRUMP, SUIT
from buck_env.compiled import kernel
from buck_env.engine import BIT
from buck_env.layout import LAYOUT, OBSERVATION_SIZE
from buck_env.rules import MAKING_BID, MAKING_DEALER, MAKING_ORDER
from buck_env.table import NONE, Phase

__all__ = [
    "PLAIN_SUITS",
    "canonical_suits",
    "encode",
    "encode_rows",
    "original_action",
    "relabelled_action",
    "write_mask",
]

PHASE_OVER: Final = int(Phase.OVER)

_AT = {name: piece.start for name, piece in LAYOUT.items()}
AT_PHASE: Final = _AT["phase"]
AT_ACTOR: Final = _AT["actor"]
AT_DEALER: Final = _AT["dealer"]
AT_MAKER: Final = _AT["maker"]
AT_CONTRACT: Final = _AT["contract"]
AT_TRUMP: Final = _AT["trump"]
AT_LED: Final = _AT["led"]
AT_SCORES: Final = _AT["scores"]
AT_HANDS_LEFT: Final = _AT["hands_left"]
AT_HAND: Final = _AT["hand"]
AT_TAKEN: Final = _AT["taken"]
AT_DISCARDS: Final = _AT["discards"]
AT_LAID: Final = _AT["laid"]
AT_UPCARD: Final = _AT["upcard"]
AT_BIDS: Final = _AT["bids"]
AT_PASSED: Final = _AT["passed"]
AT_EXCHANGED: Final = _AT["exchanged"]
AT_KEPT: Final = _AT["kept"]
AT_STAYED: Final = _AT["stayed"]
AT_DROPPED: Final = _AT["dropped"]
AT_RENEGED: Final = _AT["reneged"]
AT_TRICKS: Final = _AT["tricks"]
AT_LEADERS: Final = _AT["leaders"]
AT_TRICK: Final = _AT["trick"]
AT_PLAYED_BY: Final = _AT["played_by"]
AT_PLAYED_IN: Final = _AT["played_in"]

PLAIN_SUITS = np.arange(5, dtype=np.int8)
"""The labels C D H S NT as they are: shape (5,) int8."""

_RANK = np.arange(24, dtype=np.int64) % 6
_PRINTED = np.arange(24, dtype=np.int64) // 6
_SPREAD = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.int8)  # eight bits, a byte each
_TRUMP_WORTH = np.array([3, 3, 10, 4, 5, 6], np.int64)  # 9 T J Q K A as trumps; the left bower is worth 8


# --- The view of one seat ---------------------------------------------------------------------------------------------


@kernel
def encode(table: Any, rules: Any, viewer: int, suits: Any, out: Any) -> None:
    """Write one seat's view into `out`, shape (D,); `suits`, shape (5,), are the labels C D H S NT go by."""
    for i in range(OBSERVATION_SIZE):
        out[i] = 0
    seats = rules.seats
    dealer, maker, trump, contract = table.dealer, table.maker, table.trump, table.contract
    if table.phase != PHASE_OVER:
        out[AT_PHASE + table.phase] = 1
        out[AT_ACTOR + _relative(table.seat, viewer, seats)] = 1
    out[AT_DEALER + _relative(dealer, viewer, seats)] = 1
    if maker != NONE:
        out[AT_MAKER + _relative(maker, viewer, seats)] = 1
        if contract > 0:
            out[AT_CONTRACT + contract - 1] = 1
    if trump != NONE:
        out[AT_TRUMP + suits[trump]] = 1
    if rules.hands:
        out[AT_HANDS_LEFT] = max(0, min(127, rules.hands - np.int64(table.hands_played)))
    _write_cards(np.int64(table.hand[viewer]), suits, out, AT_HAND)
    _write_cards(taken(table, rules, viewer), suits, out, AT_TAKEN)
    if viewer == dealer and table.discards[0] >= 0:
        for i in range(4):
            if table.discards[i] >= 0:
                out[AT_DISCARDS + _relabelled(table.discards[i], suits)] = i + 1
    if rules.turn_up:
        out[AT_UPCARD + _relabelled(table.rest[0], suits)] = 1
    if rules.exchange:
        _write_cards(np.int64(table.laid[viewer]), suits, out, AT_LAID)
        _write_seats(table.exchanged, viewer, seats, out, AT_EXCHANGED)
        _write_seats(table.kept, viewer, seats, out, AT_KEPT)
    if rules.making == MAKING_BID and contract:
        for i in range(8):
            if table.bidders[i] != NONE:
                out[AT_BIDS + 4 * i + _relative(table.bidders[i], viewer, seats)] = 1
    for i in range(3):
        _write_seats(table.passed[i], viewer, seats, out, AT_PASSED + 4 * i)
    _write_seats(table.stayed, viewer, seats, out, AT_STAYED)
    _write_seats(table.dropped, viewer, seats, out, AT_DROPPED)
    _write_seats(table.reneged, viewer, seats, out, AT_RENEGED)
    for seat in range(seats):
        place = _relative(seat, viewer, seats)
        to_go = rules.toward * (rules.target - np.int64(table.scores[seat]))
        out[AT_SCORES + place] = max(-128, min(127, to_go))
        for i in range(table.tricks[seat]):
            out[AT_TRICKS + 5 * place + i] = 1
    if table.leaders[0] != NONE:
        _write_plays(table, viewer, seats, suits, out)


@kernel
def _write_plays(table: Any, viewer: int, seats: int, suits: Any, out: Any) -> None:
    current = table.trick
    for trick in range(min(5, current + 1)):
        leader = table.leaders[trick]
        out[AT_LEADERS + 4 * trick + _relative(leader, viewer, seats)] = 1
        for seat in range(seats):
            card = table.plays[trick, seat]
            if card != NONE:
                place = _relative(seat, viewer, seats)
                label = _relabelled(card, suits)
                out[AT_PLAYED_BY + 24 * place + label] = 1
                out[AT_PLAYED_IN + 24 * trick + label] = 1
                if trick == current:
                    out[AT_TRICK + 24 * place + label] = 1
                    if seat == leader:
                        out[AT_LED + suits[SUIT[table.trump, card]]] = 1


@kernel
def _relabelled_mask(cards: int, suits: Any) -> int:
    relabelled = np.int64(0)
    for suit in range(4):
        relabelled |= (cards >> 6 * suit & 63) << 6 * suits[suit]
    return relabelled


@kernel
def _write_cards(cards: int, suits: Any, out: Any, at: int) -> None:
    if cards:
        labels = _relabelled_mask(cards, suits)
        for start in range(0, 24, 8):
            eight = labels >> start & 255
            for i in range(8):
                out[at + start + i] = _SPREAD[eight, i]


@kernel
def _write_seats(members: int, viewer: int, seats: int, out: Any, at: int) -> None:
    """Write a set of seats, relative to the viewer."""
    if members:
        turned = members >> viewer | members << seats - viewer
        for place in range(seats):
            out[at + place] = turned >> place & 1


@kernel
def _relative(seat: int, viewer: int, seats: int) -> int:
    """How many places left of the viewer a seat is."""
    return seat - viewer if seat >= viewer else seat - viewer + seats


@kernel
def _relabelled(card: int, suits: Any) -> int:
    printed = _PRINTED[card]
    return card + 6 * (suits[printed] - printed)


@kernel
def taken(table: Any, rules: Any, viewer: int) -> int:
    """The cards a seat took up, a mask: known to it, and what makes its first hand known again."""
    if table.exchanged & BIT[viewer]:
        return _playing(table, viewer)
    cards = np.int64(0)
    if viewer == table.dealer:
        if rules.making == MAKING_DEALER:
            for i in range(4):
                if table.rest[i] >= 0:
                    cards |= BIT[table.rest[i]]
        elif rules.pick_up and table.maker != NONE and not table.passed[0] & BIT[viewer]:
            cards = BIT[table.rest[0]]
    return cards


@kernel
def _playing(table: Any, viewer: int) -> int:
    """The cards a seat holds or has played."""
    cards = np.int64(table.hand[viewer])
    for trick in range(5):
        if table.plays[trick, viewer] != NONE:
            cards |= BIT[table.plays[trick, viewer]]
    return cards


# --- Canonical suits --------------------------------------------------------------------------------------------------
#
# Trump is labelled C; before it is made the turned card's suit where that is proposed, else the suit that would be the
# strongest trump of one's own hand. Its colour twin is labelled S, so that bowers stay bowers. What is left to choose
# is settled by comparing all that the view shows of the suits: two labellings that compare equal give equal views.


@kernel
def canonical_suits(table: Any, rules: Any, viewer: int, suits: Any) -> None:
    """Write the canonical labels of C D H S NT for one seat's view into `suits`, shape (5,)."""
    first = NONE
    if 0 <= table.trump < NO_TRUMP:
        first = table.trump
    elif rules.turn_up and rules.making == MAKING_ORDER:
        first = _PRINTED[table.rest[0]]
    other = np.empty(5, np.int8)
    if first != NONE:
        _pair_up(first, 1 if first in (0, 3) else 0, suits)
        _pair_up(first, 2 if first in (0, 3) else 3, other)
        _keep_better(table, rules, viewer, suits, other)
        return
    cards = _playing(table, viewer)
    best = -1
    for suit in range(4):
        worth = _worth(cards, suit)
        for second in range(4):
            if second not in (suit, 3 - suit) and worth >= best:
                _pair_up(suit, second, other)
                if worth > best:
                    suits[:] = other
                    best = worth
                else:
                    _keep_better(table, rules, viewer, suits, other)


@kernel
def _pair_up(first: int, second: int, suits: Any) -> None:
    suits[first] = 0
    suits[3 - first] = 3
    suits[second] = 1
    suits[3 - second] = 2
    suits[NO_TRUMP] = NO_TRUMP


@kernel
def _worth(cards: int, trump: int) -> int:
    """How good a trump a suit is for these cards."""
    worth = 8 if cards & BIT[6 * (3 - trump) + 2] else 0
    for rank in range(6):
        if cards & BIT[6 * trump + rank]:
            worth += _TRUMP_WORTH[rank]
    return worth


@kernel
def _keep_better(table: Any, rules: Any, viewer: int, suits: Any, other: Any) -> None:
    """Of two labellings keep, in `suits`, the one whose view comes later in a fixed order."""
    if _order(table, rules, viewer, suits, other) < 0:
        suits[:] = other


@kernel
def _order(table: Any, rules: Any, viewer: int, a: Any, b: Any) -> int:
    """Negative where the view labelled by `a` comes before that by `b`; 0 where they are the same."""
    for cards in (
        _playing(table, viewer),
        np.int64(table.hand[viewer]),
        taken(table, rules, viewer),
        np.int64(table.laid[viewer]),
    ):
        difference = _relabelled_mask(cards, a) - _relabelled_mask(cards, b)
        if difference:
            return difference
    if viewer == table.dealer:
        for i in range(4):
            if table.discards[i] >= 0:
                difference = _relabelled(table.discards[i], a) - _relabelled(table.discards[i], b)
                if difference:
                    return difference
    if rules.turn_up:
        difference = _relabelled(table.rest[0], a) - _relabelled(table.rest[0], b)
        if difference:
            return difference
    for trick in range(min(5, table.trick + 1)):
        for seat in range(rules.seats):
            card = table.plays[trick, seat]
            if card != NONE:
                difference = _relabelled(card, a) - _relabelled(card, b)
                if difference:
                    return difference
    return 0


# --- Masks and actions ------------------------------------------------------------------------------------------------


@kernel
def write_mask(legal: int, suits: Any, out: Any) -> None:
    """Write a legal set of 43 bits into `out`, shape (A,), under the labels `suits`."""
    for action in range(NUM_ACTIONS):
        out[action] = 0
    _write_cards(legal, suits, out, 0)
    legal >>= PASS
    action = PASS
    while legal:
        if legal & 1:
            out[relabelled_action(action, suits)] = 1
        legal >>= 1
        action += 1


@kernel
def relabelled_action(action: int, suits: Any) -> int:
    """An action under the labels `suits`."""
    if action < 24:
        return _relabelled(action, suits)
    if NAME <= action < NAME + 4:
        return NAME + suits[action - NAME]
    return action


@kernel
def original_action(action: int, suits: Any) -> int:
    """The action that `relabelled_action` gives as this one."""
    if action < 24 or NAME <= action < NAME + 4:
        label = _PRINTED[action] if action < 24 else action - NAME
        suit = 0
        while suits[suit] != label:
            suit += 1
        return 6 * suit + _RANK[action] if action < 24 else NAME + suit
    return action


@kernel
def encode_rows(tables: Any, packed: Any, seats: Any, canonical: bool, observations: Any, suits: Any) -> None:
    """Encode row i for seats[i] into observations[i], shape (B, D), and its labels into suits[i], shape (B, 5)."""
    for i in range(len(tables)):
        if canonical:
            canonical_suits(tables[i], packed[0], seats[i], suits[i])
        else:
            suits[i] = PLAIN_SUITS
        encode(tables[i], packed[0], seats[i], suits[i], observations[i])
