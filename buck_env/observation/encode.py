"""Write one seat's view of a table as int8, with suits as they are or relabelled."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.game.cards import SUIT
from buck_env.game.facts import BUCK, taken_up
from buck_env.game.options import Exchange, Making, Phase
from buck_env.game.table import CARD, NONE, SEAT_SHIFT
from buck_env.observation.canonical import canonical_suits
from buck_env.observation.labels import PLAIN, label_of, relabelled_card, relabelled_cards
from buck_env.observation.layout import AT, CARDS_AT, OBSERVATION_SIZE
from buck_env.observation.masks import spread

__all__ = ["Entries", "encode", "encode_ended", "encode_rows", "entries_of"]

_NOTHING: Final = np.uint64(0)
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


class Entries(NamedTuple):
    """Observations, and the same memory in the pieces in which it is written."""

    single: Any
    """(B, D) int8: entry by entry."""
    quads: Any
    """(B, D / 4) uint32: a set of seats at once."""
    eights: Any
    """(B, D / 8) uint64: a third of the cards at once."""


@kernel
def entries_of(observations: Any) -> Any:
    """Observations (B, D) as `Entries`."""
    return Entries(observations, observations.view(np.uint32), observations.view(np.uint64))


@kernel
def encode(table: Any, rules: Any, viewer: int, labels: int, out: Any, row: int) -> None:
    """Write one seat's view into a row of `out`, which is `Entries`, with suits going by `labels`.

    Branches that a processor cannot foresee cost more than the writing, so a fact that may be absent is written as 0.
    """
    for at in range(0, CARDS_AT, 8):
        out.eights[np.uint64(row), np.uint64(at >> 3)] = _NOTHING
    _write_seats(table, rules, viewer, out, row)
    _write_contract(table, rules, viewer, labels, out, row)
    _write_own_cards(table, rules, viewer, labels, out, row)
    _write_plays(table, rules, viewer, labels, out, row)


@kernel
def _write_seats(table: Any, rules: Any, viewer: int, out: Any, row: int) -> None:
    turn = 64 * np.int64(rules.seats) + 16 * viewer  # where _TURNED has the sets as this viewer sees them
    _put(out, row, AT.phase + (table.phase & 7), table.phase != Phase.OVER)
    _write_set(_set_of(table.seat), turn, out, row, AT.actor)
    _write_set(_set_of(table.dealer), turn, out, row, AT.dealer)
    _write_set(_set_of(table.maker), turn, out, row, AT.maker)
    for i in range(3):
        _write_set(table.passed[i], turn, out, row, AT.passed + 4 * i)
    _write_set(table.stayed, turn, out, row, AT.stayed)
    _write_set(table.dropped, turn, out, row, AT.dropped)
    _write_set(table.reneged, turn, out, row, AT.reneged)
    if rules.exchange != Exchange.NONE.value:
        _write_set(table.exchanged, turn, out, row, AT.exchanged)
        _write_set(table.kept, turn, out, row, AT.kept)
    if rules.making == Making.BID.value:
        for i in range(8):
            _write_set(_set_of(table.bidders[i]), turn, out, row, AT.bids + 4 * i)


@kernel
def _write_contract(table: Any, rules: Any, viewer: int, labels: int, out: Any, row: int) -> None:
    """The contract, the score, and how far the tricks have come."""
    seats, toward, target = np.int64(rules.seats), np.int64(rules.toward), np.int64(rules.target)
    contract, trump, trick = np.int64(table.contract), np.int64(table.trump), np.int64(table.trick)
    _put(out, row, AT.contract + max(0, contract - 1), contract > 0)
    _put(out, row, AT.trump + label_of(max(0, trump), labels), trump != NONE)
    _put(out, row, AT.no_maker, (trump != NONE) & (table.maker == NONE))
    _put(out, row, AT.trick_number + min(trick, 4), table.phase == Phase.PLAY)
    if rules.hands:
        _put(out, row, AT.hands_left, max(0, min(127, rules.hands - np.int64(table.hands_played))))
    for seat in range(seats):
        place = _PLACE[16 * seats + 4 * viewer + seat]
        to_go = toward * (target - np.int64(table.scores[seat]))
        _put(out, row, AT.scores + place, max(-128, min(127, to_go)))
        tricks = np.int64(table.tricks[seat])
        _put(out, row, AT.tricks + 5 * place + max(0, tricks - 1), tricks > 0)


@kernel
def _write_own_cards(table: Any, rules: Any, viewer: int, labels: int, out: Any, row: int) -> None:
    deals = viewer == table.dealer
    _write_cards(np.int64(table.hand[viewer]), labels, out, row, AT.hand)
    _write_cards(taken_up(table, rules, viewer), labels, out, row, AT.taken)
    _write_cards(np.int64(table.laid[viewer]), labels, out, row, AT.laid)
    _write_cards(0, PLAIN, out, row, AT.discards)
    _write_cards(0, PLAIN, out, row, AT.upcard)
    last = BUCK - 1 if rules.making == Making.DEALER.value else 0
    for i in range(last, -1, -1):  # the last first, so that none is put out
        discard = np.int64(table.discards[i])
        _put(out, row, AT.discards + relabelled_card(max(0, discard), labels), (i + 1) * (deals & (discard >= 0)))
    if rules.turn_up:
        _put(out, row, AT.upcard + relabelled_card(table.rest[0], labels), 1)


@kernel
def _write_plays(table: Any, rules: Any, viewer: int, labels: int, out: Any, row: int) -> None:
    turn = 16 * np.int64(rules.seats) + 4 * viewer
    played = np.int64(table.played)
    start = played if table.phase == Phase.OVER else max(0, table.starts[table.trick])
    for at in range(AT.played_by, OBSERVATION_SIZE, 8):
        out.eights[np.uint64(row), np.uint64(at >> 3)] = _NOTHING
    begins = 0  # the places in `plays` where a trick begins, a bit each
    for trick in range(1, 5):
        begins |= 1 << (np.int64(table.starts[trick]) & 31)
    trick_cards = 0
    at_trick = AT.played_in
    for i in range(played):
        play = np.int64(table.plays[i])
        card = relabelled_card(play & CARD, labels)
        at_trick += 24 * (begins >> i & 1)
        trick_cards |= (i >= start) << card
        _put(out, row, AT.played_by + 24 * _PLACE[turn + (play >> SEAT_SHIFT)] + card, 1)
        _put(out, row, at_trick + card, 1)
    _write_cards(trick_cards, PLAIN, out, row, AT.trick)
    if table.phase == Phase.PLAY:
        for trick in range(5):
            first = np.int64(table.starts[trick])
            led = (first >= 0) & (first < played)
            leader = np.int64(table.plays[max(0, first)]) >> SEAT_SHIFT
            _put(out, row, AT.leaders + 4 * trick + _PLACE[turn + leader], led)
        led = SUIT[table.trump, table.plays[start % 20] & CARD]
        _put(out, row, AT.led + label_of(led, labels), start < played)


@kernel
def _put(out: Any, row: int, at: int, value: int) -> None:
    """Write one entry; an unsigned index spares numba's test for a negative one."""
    out.single[np.uint64(row), np.uint64(at)] = value


@kernel
def _set_of(seat: int) -> int:
    """The set of one seat; of NONE, which is -1, the empty set."""
    return 1 << (seat & 7) & 15


@kernel
def _write_set(members: int, turn: int, out: Any, row: int, at: int) -> None:
    """Write a set of seats, relative to the viewer."""
    out.quads[np.uint64(row), np.uint64(at >> 2)] = _TURNED[np.uint64(turn + members)]


@kernel
def _write_cards(cards: int, labels: int, out: Any, row: int, at: int) -> None:
    labelled = np.uint64(relabelled_cards(cards, labels))
    for i in range(3):
        out.eights[np.uint64(row), np.uint64((at >> 3) + i)] = spread(labelled, i)


@kernel
def encode_rows(tables: Any, packed: Any, seats: Any, canonical: bool, observations: Any, labels: Any) -> None:
    """Encode row i for seats[i] into observations[i], shape (B, D), and its labels into labels[i], shape (B,)."""
    out = entries_of(observations)
    for i in range(len(tables)):
        labels[i] = canonical_suits(tables[i], packed[0], seats[i]) if canonical else PLAIN
        encode(tables[i], packed[0], seats[i], labels[i], out, i)


@kernel
def encode_ended(ended: Any, tables: Any, packed: Any, canonical: bool, observations: Any) -> None:
    """Every seat's view of the tables that ended, (N,) bool, in order: row S * k + seat of observations (K * S, D)."""
    out = entries_of(observations)
    row = 0
    for i in range(len(tables)):
        if ended[i]:
            for seat in range(packed[0].seats):
                labels = canonical_suits(tables[i], packed[0], seat) if canonical else PLAIN
                encode(tables[i], packed[0], seat, labels, out, row)
                row += 1
