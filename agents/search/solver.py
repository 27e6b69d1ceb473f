"""The exact value of the trick phase with all hands open.

Every seat maximises its own points toward the target (max^n), or all others hold one seat's points down (`against`).
Of cards that bring a seat the same it plays the one that comes first in this order: trumps before the rest, suits in
the order S H D C, and in a suit the strongest first.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from agents.search.outcomes import MAKER, STAYER, outcomes_of
from agents.search.places import CARD_AT, FOLLOW_AT, PLACE, SUIT_OF_PLACE, highest, places_of
from buck_env.base.compiled import compiling, kernel, rare_kernel
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.bits import BIT, next_in
from buck_env.game.cards import NO_TRUMP
from buck_env.game.options import Phase
from buck_env.game.playing import legal_play
from buck_env.game.rules import Rules
from buck_env.game.table import CARD, NONE, SEAT_SHIFT

__all__ = ["Solver", "SolverRoom", "make_solver_room", "solve_actions"]

MEMO_BITS: Final = 15
MOST_KEPT: Final = 4
"""Positions with more tricks to play are not looked up: hardly any is met twice."""
DEEPEST: Final = 21
_MIX: Final = np.uint64(0x9E3779B97F4A7C15)

# What one search knows beside the hands: places in an array of whole numbers.
_PLAYERS, _OUT, _TRUMP, _ONE, _TO_PLAY, _SEARCH, _LENGTHS = range(7)
_NUM_INFO: Final = _LENGTHS + 4

_FRAME = np.dtype(
    [
        (name, "i8")
        for name in (
            "seat", "count", "led", "best", "winner", "after", "trick", "live", "hand", "options", "last",
            "who", "kind", "bound", "value", "rank", "closed", "memo", "key", "slot",
        )
    ]
)  # fmt: skip
"""A choice that waits: where it stands, the cards not yet tried, and the best so far for the seat `who`, whose points
decide. `closed` is the winner of the trick that led to it, or NONE."""


class SolverRoom(NamedTuple):
    """Room for one search at a time; no two threads may share it."""

    hands: np.ndarray
    """(4,) int64: the places of the cards held, a mask a seat;"""
    taken: np.ndarray
    """(4,) int64: the tricks taken;"""
    roles: np.ndarray
    """(4,) int64: the role of each seat, as `Outcomes` has them."""
    info: np.ndarray
    """What else the search knows."""
    keys: np.ndarray
    """(M,) int64: positions whose value is known,"""
    values: np.ndarray
    """(M,) int32: their values,"""
    searches: np.ndarray
    """(M,) int32: and the search that found each."""
    frames: np.ndarray
    """(DEEPEST,): the choices that wait."""


def make_solver_room() -> SolverRoom:
    """Room for searches."""
    return SolverRoom(
        hands=np.zeros(4, np.int64),
        taken=np.zeros(4, np.int64),
        roles=np.zeros(4, np.int64),
        info=np.zeros(_NUM_INFO, np.int64),
        keys=np.zeros(1 << MEMO_BITS, np.int64),
        values=np.zeros(1 << MEMO_BITS, np.int32),
        searches=np.zeros(1 << MEMO_BITS, np.int32),
        frames=np.zeros(DEEPEST, _FRAME),
    )


class Solver:
    """Solves the play of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._packed = rules.packed()
        self._outcomes = outcomes_of(rules)

    def tricks(self, tables: np.ndarray, against: int | None = None) -> np.ndarray:
        """The tricks (B, 4) int8 that each seat has at the end, of tables (B,) TABLE in the play with all hands known.

        With `against` the other seats hold the points of this seat down instead of looking for their own.
        ValueError where a table is not in the play.
        """
        return self._solve(tables, against, every=False)[0]

    def action_points(self, tables: np.ndarray, against: int | None = None) -> np.ndarray:
        """The points toward the target (B, A) float32 that each legal card brings the seat to act; 0 elsewhere."""
        return self._solve(tables, against, every=True)[1]

    def _solve(self, tables: np.ndarray, against: int | None, every: bool) -> tuple[np.ndarray, np.ndarray]:
        if (tables["phase"] != Phase.PLAY).any():
            raise ValueError("solver: a table is not in the play; give tables whose next action is a card")
        tricks = np.zeros((len(tables), 4), np.int8)
        points = np.zeros((len(tables), NUM_ACTIONS), np.float32)
        one = NONE if against is None else against
        with compiling("the solver", __file__):
            _solve_rows(tables, self._packed, self._outcomes, make_solver_room(), one, every, tricks, points)
        return tricks, points


@kernel
def _solve_rows(
    tables: Any, packed: Any, outcomes: Any, room: Any, one: Any, every: bool, tricks: Any, points: Any
) -> None:
    for i in range(len(tables)):
        solve_actions(tables[i], packed[0], outcomes, room, one, every, tricks[i], points[i])


@kernel
def solve_actions(
    table: Any, rules: Any, outcomes: Any, room: Any, one: Any, every: bool, tricks: Any, points: Any
) -> Any:
    """Solve a table in the play: every seat's tricks at its end (4,), and the points of each legal card (A,).

    Without `every` cards are left out once one is found that nothing can better. Returns the card that the seat to act
    plays.
    """
    hands, taken, roles, info = room.hands, room.taken, room.roles, room.info
    seat: Any = np.int64(table.seat)
    trump = np.int64(table.trump)
    out: Any = np.int64(table.dropped | table.reneged)
    live = np.int64(0)
    players = 0
    for s in range(4):
        hands[s] = 0
        taken[s] = table.tricks[s]
        roles[s] = MAKER + table.contract if s == table.maker else STAYER
        if s < rules.seats and not out & BIT[s]:
            players += 1
            hands[s] = places_of(np.int64(table.hand[s]), trump)
            live |= hands[s]
    info[_PLAYERS], info[_OUT], info[_ONE] = players, out, one
    info[_TRUMP] = trump if trump != NO_TRUMP else NONE
    info[_TO_PLAY] = 5 - table.trick
    info[_SEARCH] += 1
    # The trick so far.
    start = np.int64(table.starts[table.trick])
    led = best = winner = NONE
    trick = np.int64(0)
    count = 0
    for i in range(start, table.played):
        who = table.plays[i] >> SEAT_SHIFT
        place = PLACE[trump, table.plays[i] & CARD]
        if i == start:
            led = SUIT_OF_PLACE[trump, place]
        trick |= BIT[place]
        if out & BIT[who]:  # a reneged card wins nothing, and its player plays no more
            continue
        count += 1
        if SUIT_OF_PLACE[trump, place] in (led, info[_TRUMP]) and place > best:
            best, winner = place, who
    live |= trick
    after = next_in(seat, rules, out)
    hand = hands[seat]
    options = places_of(legal_play(table, rules), trump)
    others = live & ~hand
    own = one == NONE or seat == one
    who = seat if own else one
    kind = outcomes.kind[roles[who], taken[who], info[_TO_PLAY]]
    chosen, value_rank = NONE, np.int64(NONE)
    found = value = np.int64(0)
    doubles = np.int64(0)
    while options:
        place = highest(options)
        options &= ~BIT[place]
        suit = SUIT_OF_PLACE[trump, place]
        if not doubles & BIT[place]:
            hands[seat] = hand & ~BIT[place]
            if count == 0:
                found = _search(room, rules, outcomes, 1, after, suit, place, seat, BIT[place], live)
            elif suit in (led, info[_TRUMP]) and place > best:
                found = _search(room, rules, outcomes, count + 1, after, led, place, seat, trick | BIT[place], live)
            else:
                found = _search(room, rules, outcomes, count + 1, after, led, best, winner, trick | BIT[place], live)
            doubles |= _doubles(options, place, others, trump)
        card = CARD_AT[trump, place]
        points[card] = outcomes.points[roles[seat], taken[seat] + (found >> 3 * seat & 7)]
        got = outcomes.rank[info[_TO_PLAY], kind, found >> 3 * who & 7]
        if chosen == NONE or (got > value_rank if own else got < value_rank):
            chosen, value, value_rank = card, found, got
            if not every and got == outcomes.extremes[0 if own else 1, info[_TO_PLAY], kind]:
                break
    hands[seat] = hand
    for s in range(4):
        tricks[s] = taken[s] + (value >> 3 * s & 7)
    return chosen


@kernel
def _doubles(options: Any, place: Any, others: Any, trump: Any) -> Any:
    """The options below a card of the same hand and suit between which nobody else has a card: none does better."""
    doubles = np.int64(0)
    upper = BIT[place]
    left = options & (upper - 1) & FOLLOW_AT[trump, SUIT_OF_PLACE[trump, place]]
    while left:
        lower = BIT[highest(left)]
        if others & (upper - 1) & ~(lower - 1):
            break
        doubles |= lower
        left &= ~lower
        upper = lower
    return doubles


@rare_kernel
def _search(
    room: Any, rules: Any, outcomes: Any, count: Any, seat: Any, led: Any, best: Any, winner: Any, trick: Any, live: Any
) -> Any:
    """The further tricks of every seat, three bits each, when a seat is to play as the `count`-th of a trick.

    Cards are places, a bit each: `led` is the suit led, `best` the winning place, `trick` what was played to it, `live`
    all that is held or lies in it. Choices that wait for what follows lie in `frames`: compiled functions that call
    themselves cannot be kept on disk.
    """
    hands, taken, roles, info, frames = room.hands, room.taken, room.roles, room.info, room.frames
    players, out, trump, one = info[_PLAYERS], info[_OUT], info[_TRUMP], info[_ONE]
    table_trump = trump if trump != NONE else NO_TRUMP
    depth = 0
    frames[0].closed = NONE
    closed = np.int64(NONE)
    while True:
        # Down: to a new choice, or to a position whose value is known.
        known = False
        found = np.int64(0)
        if count == players:
            known = info[_TO_PLAY] == 1
            if known:
                found = np.int64(1) << 3 * winner
            else:
                taken[winner] += 1
                info[_TO_PLAY] -= 1
                closed, seat, count, live = winner, winner, np.int64(0), live & ~trick
        to_play = info[_TO_PLAY]
        if count == 0 and to_play == 1:
            known, found = True, np.int64(1) << 3 * _last_winner(hands, seat, trump)
        frame = frames[depth]
        frame.memo = not known and count == 0 and to_play <= MOST_KEPT
        if frame.memo:
            key = _key(room, outcomes, seat, live, table_trump)
            slot = np.int64(np.uint64(key) * _MIX >> np.uint64(64 - MEMO_BITS))
            frame.key, frame.slot = key, slot
            if room.keys[slot] == key and room.searches[slot] == info[_SEARCH]:
                known, found = True, np.int64(room.values[slot])
        if not known:
            hand = hands[seat]
            options = hand
            if count > 0 and hand & FOLLOW_AT[table_trump, led]:
                options = hand & FOLLOW_AT[table_trump, led]
            who = seat if one == NONE else one
            kind = outcomes.kind[roles[who], taken[who], to_play]
            frame.seat, frame.count, frame.led, frame.best, frame.winner = seat, count, led, best, winner
            frame.trick, frame.live, frame.hand, frame.options = trick, live, hand, options
            frame.who, frame.kind, frame.last, frame.value, frame.rank = who, kind, NONE, 0, NONE
            frame.bound = outcomes.extremes[0 if who == seat else 1, to_play, kind]
            frame.after = seat if count + 1 == players else next_in(seat, rules, out)
            frame.closed = closed
        elif closed != NONE:
            found = _reopen(taken, info, closed, found)
        closed = np.int64(NONE)
        # Up: through the choices that are decided by what was found.
        while known:
            if depth == 0:
                return found
            depth -= 1
            frame = frames[depth]
            got = outcomes.rank[info[_TO_PLAY], frame.kind, found >> 3 * frame.who & 7]
            if frame.rank == NONE or (got > frame.rank if frame.who == frame.seat else got < frame.rank):
                frame.value, frame.rank = found, got
                if got == frame.bound:
                    frame.options = 0
            frame.options &= ~_doubles(frame.options, frame.last, frame.live & ~frame.hand, table_trump)
            known = frame.options == 0
            if known:
                hands[frame.seat] = frame.hand
                found = np.int64(frame.value)
                if frame.memo:
                    slot = frame.slot
                    room.keys[slot], room.values[slot], room.searches[slot] = frame.key, found, info[_SEARCH]
                if frame.closed != NONE:
                    found = _reopen(taken, info, frame.closed, found)
        # On: the next card of the choice that is open.
        frame = frames[depth]
        place = highest(frame.options)
        frame.options &= ~BIT[place]
        frame.last = place
        hands[frame.seat] = frame.hand & ~BIT[place]
        suit = SUIT_OF_PLACE[table_trump, place]
        led, best, winner, trick, live = frame.led, frame.best, frame.winner, frame.trick, frame.live
        if frame.count == 0:
            led, best, winner, trick = suit, place, frame.seat, np.int64(0)
        elif suit in (led, trump) and place > best:
            best, winner = place, frame.seat
        trick |= BIT[place]
        seat, count = frame.after, frame.count + 1
        depth += 1


@kernel
def _reopen(taken: Any, info: Any, winner: Any, found: Any) -> Any:
    """Take back the trick that led to a position, and count it."""
    taken[winner] -= 1
    info[_TO_PLAY] += 1
    return found + (np.int64(1) << 3 * winner)


@kernel
def _last_winner(hands: Any, leader: Any, trump: Any) -> Any:
    """Who wins the last trick, to which everybody plays the one card held."""
    table_trump = trump if trump != NONE else NO_TRUMP
    led = np.int64(0)
    for suit in range(4):
        if hands[leader] & FOLLOW_AT[table_trump, suit]:
            led = FOLLOW_AT[table_trump, suit]
    if trump != NONE:
        led |= FOLLOW_AT[trump, trump]
    best, winner = hands[leader], leader
    for seat in range(4):
        if hands[seat] & led and hands[seat] > best:
            best, winner = hands[seat], seat
    return winner


@kernel
def _key(room: Any, outcomes: Any, seat: Any, live: Any, trump: Any) -> Any:
    """A position at the start of a trick but for what does not matter: who holds the cards of each suit in the order of
    their strength, who leads, and what each seat still wants. It has 60 bits."""
    hands, taken, roles, info = room.hands, room.taken, room.roles, room.info
    key = np.int64(1)
    for suit in range(4):
        left = live & FOLLOW_AT[trump, suit]
        length = 0
        while left:
            low = left & -left
            left ^= low
            key <<= 2
            if not hands[0] & low:
                key |= 1 if hands[1] & low else 2 if hands[2] & low else 3
            length += 1
        info[_LENGTHS + suit] = length
    for suit in range(3):
        key = key << 3 | info[_LENGTHS + suit]
    key = key << 2 | seat
    for s in range(4):
        key = key << 4 | outcomes.kind[roles[s], taken[s], info[_TO_PLAY]]
    return key
