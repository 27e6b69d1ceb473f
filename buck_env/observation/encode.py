"""Encode one seat's view of a table as int8, with suits as they are or relabelled (`canonical`)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.game.actions import NAME
from buck_env.game.bits import BIT
from buck_env.game.cards import NO_TRUMP, SUIT
from buck_env.game.engine import CARD, SEAT_SHIFT
from buck_env.game.rules import MAKING_BID, MAKING_DEALER, MAKING_ORDER
from buck_env.game.table import NONE, PHASE_OVER, PHASE_PLAY
from buck_env.observation.layout import LAYOUT, OBSERVATION_SIZE

__all__ = [
    "PLAIN",
    "canonical_suits",
    "encode",
    "encode_ended",
    "encode_rows",
    "original_action",
    "relabel_rows",
    "relabelled_action",
    "write_mask",
]


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
AT_NO_MAKER: Final = _AT["no_maker"]
AT_TRICK_NUMBER: Final = _AT["trick_number"]
AT_LEADERS: Final = _AT["leaders"]
AT_TRICK: Final = _AT["trick"]
AT_PLAYED_BY: Final = _AT["played_by"]
AT_PLAYED_IN: Final = _AT["played_in"]

MASK_ROW: Final = np.dtype((np.record, [("eights", "u8", 5), ("last", "i1", 3)]))
"""A row of a mask, to be written eight entries at a time."""

_ALL_CARDS: Final = (1 << 24) - 1
_ALL_NAMES: Final = 15 << NAME
_ONE: Final = np.uint64(1)
_NOTHING: Final = np.uint64(0)
_BYTE: Final = np.uint64(255)

PLAIN: Final = 0o43210
"""The labels C D H S NT as they are: suit s goes by ``labels >> 3 * s & 7``."""

_RANK = np.arange(24, dtype=np.int64) % 6
_PRINTED = np.arange(24, dtype=np.int64) // 6
_EIGHT = np.array([sum((m >> i & 1) << 8 * i for i in range(8)) for m in range(256)], np.uint64)  # bits, a byte each
_PLACE = np.array([(seat - viewer) % max(n, 1) for n in range(5) for viewer in range(4) for seat in range(4)], np.int64)
"""How many places left of the viewer a seat is, by 16 * number of seats + 4 * viewer + seat."""
_TURNED = np.array(
    [
        sum(1 << 8 * ((seat - viewer) % n) for seat in range(n) if members >> seat & 1)
        for n in range(5)
        for viewer in range(4)
        for members in range(16)
    ],
    np.uint32,
)
"""A set of seats as a viewer sees it, a byte each, by 64 * number of seats + 16 * viewer + set."""
_TRUMP_WORTH = np.array([3, 3, 10, 4, 5, 6], np.int64)  # 9 T J Q K A as trumps; the left bower is worth 8


# --- The view of one seat ---------------------------------------------------------------------------------------------


@kernel
def encode(table: Any, rules: Any, viewer: int, labels: int, out: Any, quads: Any, eights: Any, row: int) -> None:
    """Write one seat's view into a row of `out`, shape (B, D), with suits going by `labels`.

    `quads` and `eights` are the same memory as uint32 and uint64. Branches that a processor cannot foresee cost more
    than the writing, so a fact that may be absent is written as 0.
    """
    for at in range(0, AT_HAND, 8):
        eights[np.uint64(row), np.uint64(at >> 3)] = _NOTHING
    _write_seats(table, rules, viewer, out, quads, row)
    _write_contract(table, rules, viewer, labels, out, row)
    _write_own_cards(table, rules, viewer, labels, out, eights, row)
    _write_plays(table, rules, viewer, labels, out, quads, eights, row)


@kernel
def _write_seats(table: Any, rules: Any, viewer: int, out: Any, quads: Any, row: int) -> None:
    turn = 64 * np.int64(rules.seats) + 16 * viewer  # where _TURNED has the sets as this viewer sees them
    _put(out, row, AT_PHASE + table.phase, 1)  # OVER falls on the actor, whose piece comes next
    _write_set(_set_of(table.seat), turn, quads, row, AT_ACTOR)
    _write_set(_set_of(table.dealer), turn, quads, row, AT_DEALER)
    _write_set(_set_of(table.maker), turn, quads, row, AT_MAKER)
    for i in range(3):
        _write_set(table.passed[i], turn, quads, row, AT_PASSED + 4 * i)
    _write_set(table.stayed, turn, quads, row, AT_STAYED)
    _write_set(table.dropped, turn, quads, row, AT_DROPPED)
    _write_set(table.reneged, turn, quads, row, AT_RENEGED)
    if rules.exchange:
        _write_set(table.exchanged, turn, quads, row, AT_EXCHANGED)
        _write_set(table.kept, turn, quads, row, AT_KEPT)
    if rules.making == MAKING_BID:
        for i in range(8):
            _write_set(_set_of(table.bidders[i]), turn, quads, row, AT_BIDS + 4 * i)


@kernel
def _write_contract(table: Any, rules: Any, viewer: int, labels: int, out: Any, row: int) -> None:
    """The contract, the score, and how far the tricks have come."""
    seats, toward, target = np.int64(rules.seats), np.int64(rules.toward), np.int64(rules.target)
    contract, trump, trick = np.int64(table.contract), np.int64(table.trump), np.int64(table.trick)
    _put(out, row, AT_CONTRACT + max(0, contract - 1), contract > 0)
    _put(out, row, AT_TRUMP + _label(max(0, trump), labels), trump != NONE)
    _put(out, row, AT_NO_MAKER, (trump != NONE) & (table.maker == NONE))
    _put(out, row, AT_TRICK_NUMBER + min(trick, 4), table.phase == PHASE_PLAY)
    if rules.hands:
        _put(out, row, AT_HANDS_LEFT, max(0, min(127, rules.hands - np.int64(table.hands_played))))
    for seat in range(seats):
        place = _PLACE[16 * seats + 4 * viewer + seat]
        to_go = toward * (target - np.int64(table.scores[seat]))
        _put(out, row, AT_SCORES + place, max(-128, min(127, to_go)))
        tricks = np.int64(table.tricks[seat])
        _put(out, row, AT_TRICKS + 5 * place + max(0, tricks - 1), tricks > 0)


@kernel
def _write_own_cards(table: Any, rules: Any, viewer: int, labels: int, out: Any, eights: Any, row: int) -> None:
    deals = viewer == table.dealer
    _write_cards(np.int64(table.hand[viewer]), labels, eights, row, AT_HAND)
    _write_cards(taken(table, rules, viewer), labels, eights, row, AT_TAKEN)
    _write_cards(np.int64(table.laid[viewer]), labels, eights, row, AT_LAID)
    _write_cards(0, PLAIN, eights, row, AT_DISCARDS)
    _write_cards(0, PLAIN, eights, row, AT_UPCARD)
    for i in range(3 if rules.making == MAKING_DEALER else 0, -1, -1):  # the last first, so that none is put out
        discard = np.int64(table.discards[i])
        _put(out, row, AT_DISCARDS + _relabelled(max(0, discard), labels), (i + 1) * (deals & (discard >= 0)))
    if rules.turn_up:
        _put(out, row, AT_UPCARD + _relabelled(table.rest[0], labels), 1)


@kernel
def _write_plays(
    table: Any, rules: Any, viewer: int, labels: int, out: Any, quads: Any, eights: Any, row: int
) -> None:  # fmt: skip
    turn = 16 * np.int64(rules.seats) + 4 * viewer
    played = np.int64(table.played)
    start = played if table.phase == PHASE_OVER else max(0, table.starts[table.trick])
    for at in range(AT_PLAYED_BY, OBSERVATION_SIZE, 8):
        eights[np.uint64(row), np.uint64(at >> 3)] = _NOTHING
    begins = 0  # the places in `plays` where a trick begins, a bit each
    for trick in range(1, 5):
        begins |= 1 << (np.int64(table.starts[trick]) & 31)
    trick_cards = 0
    at_trick = AT_PLAYED_IN
    for i in range(played):
        play = np.int64(table.plays[i])
        card = _relabelled(play & CARD, labels)
        at_trick += 24 * (begins >> i & 1)
        trick_cards |= (i >= start) << card
        _put(out, row, AT_PLAYED_BY + 24 * _PLACE[turn + (play >> SEAT_SHIFT)] + card, 1)
        _put(out, row, at_trick + card, 1)
    _write_cards(trick_cards, PLAIN, eights, row, AT_TRICK)
    if table.phase == PHASE_PLAY:
        for trick in range(5):
            first = np.int64(table.starts[trick])
            led = (first >= 0) & (first < played)
            leader = np.int64(table.plays[max(0, first)]) >> SEAT_SHIFT
            _put(out, row, AT_LEADERS + 4 * trick + _PLACE[turn + leader], led)
        led = SUIT[table.trump, table.plays[start % 20] & CARD]
        _put(out, row, AT_LED + _label(led, labels), start < played)


@kernel
def _put(out: Any, row: int, at: int, value: int) -> None:
    """Write one entry; an unsigned index spares numba's test for a negative one."""
    out[np.uint64(row), np.uint64(at)] = value


@kernel
def _set_of(seat: int) -> int:
    """The set of one seat; of NONE, which is -1, the empty set."""
    return 1 << (seat & 7) & 15


@kernel
def _write_set(members: int, turn: int, quads: Any, row: int, at: int) -> None:
    """Write a set of seats, relative to the viewer."""
    quads[np.uint64(row), np.uint64(at >> 2)] = _TURNED[np.uint64(turn + members)]


@kernel
def _relabelled_mask(cards: int, labels: int) -> int:
    if labels == PLAIN:
        return cards
    relabelled = np.int64(0)
    for suit in range(4):
        relabelled |= (cards >> 6 * suit & 63) << 6 * _label(suit, labels)
    return relabelled


@kernel
def _relabelled_names(names: int, labels: int) -> int:
    if labels == PLAIN:
        return names
    relabelled = np.int64(0)
    for suit in range(4):
        relabelled |= (names >> suit & 1) << _label(suit, labels)
    return relabelled


@kernel
def _write_cards(cards: int, labels: int, eights: Any, row: int, at: int) -> None:
    labelled = np.uint64(_relabelled_mask(cards, labels))
    for i in range(3):
        eights[np.uint64(row), np.uint64((at >> 3) + i)] = _EIGHT[labelled >> np.uint64(8 * i) & _BYTE]


@kernel
def _label(suit: int, labels: int) -> int:
    return labels >> 3 * suit & 7


@kernel
def _relabelled(card: int, labels: int) -> int:
    printed = _PRINTED[card]
    return card + 6 * (_label(printed, labels) - printed)


@kernel
def taken(table: Any, rules: Any, viewer: int) -> int:
    """The cards a seat took up, a mask: known to it, and what makes its first hand known again."""
    if table.exchanged & BIT[viewer]:
        return _playing(table, viewer)
    cards = np.int64(0)
    if rules.making == MAKING_DEALER:
        for i in range(4):
            if table.rest[i] >= 0:
                cards |= BIT[table.rest[i]]
    elif rules.pick_up:
        cards = BIT[table.rest[0]] * ((table.maker != NONE) & ~(table.passed[0] >> viewer) & 1)
    return cards * (viewer == table.dealer)


@kernel
def _playing(table: Any, viewer: int) -> int:
    """The cards a seat holds or has played."""
    cards = np.int64(table.hand[viewer])
    for i in range(table.played):
        if table.plays[i] >> SEAT_SHIFT == viewer:
            cards |= BIT[table.plays[i] & CARD]
    return cards


# --- Canonical suits --------------------------------------------------------------------------------------------------
#
# Trump is labelled C; before it is made the turned card's suit where that is proposed, else the suit that would be the
# strongest trump of one's own hand. Its colour twin is labelled S, so that bowers stay bowers. What is left to choose
# is settled by comparing all that the view shows of the suits.


@kernel
def canonical_suits(table: Any, rules: Any, viewer: int) -> int:
    """The canonical labels of C D H S NT for one seat's view."""
    first = NONE
    if 0 <= table.trump < NO_TRUMP:
        first = np.int64(table.trump)
    elif rules.turn_up and rules.making == MAKING_ORDER:
        first = _PRINTED[table.rest[0]]
    if first != NONE:
        second = 1 if first in (0, 3) else 0
        return _better(table, rules, viewer, _labels(first, second), _labels(first, 3 - second))
    cards = _playing(table, viewer)
    best = -1
    labels = PLAIN
    for suit in range(4):
        worth = _worth(cards, suit)
        for second in range(4):
            if second not in (suit, 3 - suit) and worth >= best:
                other = _labels(suit, second)
                labels = other if worth > best else _better(table, rules, viewer, labels, other)
                best = worth
    return labels


@kernel
def _labels(first: int, second: int) -> int:
    """The labels under which these suits, of two colours, go by C and D, and their twins by S and H."""
    return 1 << 3 * second | 2 << 3 * (3 - second) | 3 << 3 * (3 - first) | NO_TRUMP << 3 * NO_TRUMP


@kernel
def _worth(cards: int, trump: int) -> int:
    """How good a trump a suit is for these cards."""
    worth = 8 if cards & BIT[6 * (3 - trump) + 2] else 0
    for rank in range(6):
        if cards & BIT[6 * trump + rank]:
            worth += _TRUMP_WORTH[rank]
    return worth


@kernel
def _better(table: Any, rules: Any, viewer: int, a: int, b: int) -> int:
    """Of two labellings the one whose view comes later in a fixed order; where views compare equal, they are."""
    for cards in (
        _playing(table, viewer),
        np.int64(table.hand[viewer]),
        taken(table, rules, viewer),
        np.int64(table.laid[viewer]),
    ):
        x, y = _relabelled_mask(cards, a), _relabelled_mask(cards, b)
        if x != y:
            return a if x > y else b
    if viewer == table.dealer:
        for i in range(4):
            if table.discards[i] >= 0:
                x, y = _relabelled(table.discards[i], a), _relabelled(table.discards[i], b)
                if x != y:
                    return a if x > y else b
    if rules.turn_up:
        x, y = _relabelled(table.rest[0], a), _relabelled(table.rest[0], b)
        if x != y:
            return a if x > y else b
    for i in range(table.played):
        x, y = _relabelled(table.plays[i] & CARD, a), _relabelled(table.plays[i] & CARD, b)
        if x != y:
            return a if x > y else b
    return a


# --- Masks and actions ------------------------------------------------------------------------------------------------


@kernel
def write_mask(legal: int, labels: int, out: Any, row: int) -> None:
    """Write a legal set of 43 bits into a row of `out`, shape (B, A), with suits going by `labels`."""
    write_mask_row(legal, labels, out.view(MASK_ROW), row)


@kernel
def write_mask_row(legal: int, labels: int, rows: Any, row: int) -> None:
    """`write_mask` for rows seen as MASK_ROW, shape (B, 1)."""
    cards = _relabelled_mask(legal & _ALL_CARDS, labels)
    names = _relabelled_names(legal >> NAME & 15, labels) << NAME
    relabelled = np.uint64(cards | names | legal & ~(_ALL_CARDS | _ALL_NAMES))
    out = rows[np.uint64(row), np.uint64(0)]
    for i in range(5):
        out.eights[i] = _EIGHT[relabelled >> np.uint64(8 * i) & _BYTE]
    for i in range(3):
        out.last[i] = relabelled >> np.uint64(40 + i) & _ONE


@kernel
def relabelled_action(action: int, labels: int) -> int:
    """An action with suits going by `labels`."""
    if action < 24:
        return _relabelled(action, labels)
    if NAME <= action < NAME + 4:
        return NAME + _label(action - NAME, labels)
    return action


@kernel
def original_action(action: int, labels: int) -> int:
    """The action that `relabelled_action` gives as this one."""
    if action < 24 or NAME <= action < NAME + 4:
        label = _PRINTED[action] if action < 24 else action - NAME
        suit = 0
        while _label(suit, labels) != label:
            suit += 1
        return 6 * suit + _RANK[action] if action < 24 else NAME + suit
    return action


@kernel
def encode_rows(tables: Any, packed: Any, seats: Any, canonical: bool, observations: Any, labels: Any) -> None:
    """Encode row i for seats[i] into observations[i], shape (B, D), and its labels into labels[i], shape (B,)."""
    quads, eights = observations.view(np.uint32), observations.view(np.uint64)
    for i in range(len(tables)):
        labels[i] = canonical_suits(tables[i], packed[0], seats[i]) if canonical else PLAIN
        encode(tables[i], packed[0], seats[i], labels[i], observations, quads, eights, i)


@kernel
def encode_ended(ended: Any, tables: Any, packed: Any, canonical: bool, observations: Any) -> None:
    """Every seat's view of the tables that ended, (N,) bool, in order: row S * k + seat of observations (K * S, D)."""
    quads, eights = observations.view(np.uint32), observations.view(np.uint64)
    row = 0
    for i in range(len(tables)):
        if ended[i]:
            for seat in range(packed[0].seats):
                labels = canonical_suits(tables[i], packed[0], seat) if canonical else PLAIN
                encode(tables[i], packed[0], seat, labels, observations, quads, eights, row)
                row += 1


@kernel
def relabel_rows(actions: Any, labels: Any, out: Any) -> None:
    """Actions under their labels, shape (N,); what is no action stays."""
    for i in range(len(actions)):
        out[i] = relabelled_action(actions[i], labels[i]) if actions[i] >= 0 else actions[i]
