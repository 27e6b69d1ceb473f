"""Whole hands in which one agent learns: at each of its decisions every legal action is played out on the true deal.

In a playout the learner's later choices are its network's likeliest, and the others play as they sit. Hand number n of
a seed is dealt, seated and played the same whenever it is played.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from agents.bots.compiled_network import drawn_action
from agents.compiled.brains import Brains, decide, make_room
from buck_env.base.compiled import compiling, kernel
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.bits import BIT, only
from buck_env.game.engine import apply, deal, legal
from buck_env.game.options import Phase
from buck_env.game.playing import pay
from buck_env.game.rules import Rules
from buck_env.game.shuffle import draw_dealer, shuffle, uniform
from buck_env.game.table import LONGEST_HAND, make_tables
from buck_env.observation.canonical import canonical_suits
from buck_env.observation.encode import Entries, encode
from buck_env.observation.labels import PLAIN, relabelled_action
from buck_env.observation.layout import OBSERVATION_SIZE

__all__ = ["LEARNER", "Lessons", "make_lessons", "play_lessons", "play_until_paid"]

LEARNER: Final = 0
"""The learner's number among the agents."""


class Lessons(NamedTuple):
    """Room for R decisions of a learner, suits as its network sees them."""

    observation: np.ndarray
    """(R, D) int8."""
    mask: np.ndarray
    """(R, A) int8."""
    phase: np.ndarray
    """(R,) int8."""
    values: np.ndarray
    """(R, A) float32: the points toward the target still to come after each legal action; 0 elsewhere."""
    totals: np.ndarray
    """(4,) float64: hands in which the learner sat alone, its points in them, the points of all seats in them, and
    all hands."""


def make_lessons(decisions: int) -> Lessons:
    """Room for so many decisions, and for the rest of the last hand."""
    rows = decisions + LONGEST_HAND
    return Lessons(
        np.zeros((rows, OBSERVATION_SIZE), np.int8),
        np.zeros((rows, NUM_ACTIONS), np.int8),
        np.zeros(rows, np.int8),
        np.zeros((rows, NUM_ACTIONS), np.float32),
        np.zeros(4),
    )


def play_lessons(
    brains: Brains, rules: Rules, seed: int, first: int, share: float, lessons: Lessons
) -> tuple[int, int]:
    """Fill lessons with the learner's decisions in hands `first`, `first` + 1, ... of a seed; how many decisions there
    are, and the number of the hand that comes next.

    In a `share` of the hands the learner sits alone, among copies of one of the other agents, each as likely as any
    other. In the other hands it has every seat.
    """
    decisions = len(lessons.phase) - LONGEST_HAND
    seen = lessons.observation
    entries = Entries(seen, seen.view(np.uint32), seen.view(np.uint64))
    with compiling("hands", __file__):
        found, following = _play_lessons(
            brains, make_room(brains), rules.packed(), np.uint64(seed), first, decisions, share,
            make_tables(2), np.empty(24, np.int8), np.empty(4, np.int64), lessons, entries,
        )  # fmt: skip
    return int(found), int(following)


@kernel
def _play_lessons(
    brains: Any, room: Any, packed: Any, seed: Any, first: int, decisions: int, share: float,
    tables: Any, pack: Any, sitting: Any, lessons: Any, entries: Any,
) -> Any:  # fmt: skip
    rules = packed[0]
    table, played = tables[0], tables[1]
    for i in range(4):
        lessons.totals[i] = 0.0
    number, row = first, 0
    while row < decisions:
        alone = _sit_down(seed, number, rules.seats, share, len(brains.deciders) - 1, sitting)
        _deal_hand(table, rules, seed, number, pack)
        steps = 0
        while table.phase != Phase.OVER:
            options = legal(table, rules)
            seat = table.seat
            chance = uniform(seed, number, steps)
            if options & options - 1 == 0:
                action = only(options)
            elif sitting[seat] == LEARNER:
                labels = canonical_suits(table, rules, seat) if brains.networks.canonical[0] else PLAIN
                encode(table, rules, seat, labels, entries, row)
                lessons.phase[row] = table.phase
                for option in range(NUM_ACTIONS):
                    lessons.mask[row, option] = 0
                    lessons.values[row, option] = 0.0
                for option in range(NUM_ACTIONS):
                    if options >> option & 1:
                        seen = relabelled_action(option, labels)
                        lessons.mask[row, seen] = 1
                        tables[1] = tables[0]
                        apply(played, rules, option)
                        play_until_paid(brains, room, sitting, played, rules, seat, seed, number, steps + 1)
                        lessons.values[row, seen] = rules.toward * (played.scores[seat] - table.scores[seat])
                row += 1
                action = drawn_action(brains.networks, 0, table, rules, options, room.scratch, chance)
            else:
                action = decide(brains, room, sitting[seat], table, rules, chance)
            apply(table, rules, action)
            steps += 1
        _count_hand(table, rules, alone, lessons.totals)
        number += 1
    return row, number


@kernel
def play_until_paid(
    brains: Any, room: Any, sitting: Any, table: Any, rules: Any, seat: int, seed: Any, number: int, steps: int
) -> None:  # fmt: skip
    """Play a hand on until a seat has been paid for it: to its end, or until the seat drops (RULES §8.5).

    `sitting` (4,) holds the number of the agent in each seat. Decision number `steps` + k of the hand has the chance of
    `seed`, `number` and `steps` + k.
    """
    while table.phase != Phase.OVER:
        if table.dropped & BIT[seat]:
            pay(table, rules, seat)
            return
        options = legal(table, rules)
        if options & options - 1 == 0:
            apply(table, rules, only(options))
        else:
            chance = uniform(seed, number, steps)
            apply(table, rules, decide(brains, room, sitting[table.seat], table, rules, chance))
        steps += 1


@kernel
def _sit_down(seed: Any, number: int, seats: int, share: float, opponents: int, sitting: Any) -> Any:
    """Who sits where in a hand; the seat of a learner that sits alone, or -1."""
    for seat in range(4):
        sitting[seat] = LEARNER
    if uniform(seed, number, LONGEST_HAND) >= share or not opponents:
        return -1
    opponent = 1 + np.int64(uniform(seed, number, LONGEST_HAND + 1) * opponents)
    alone = np.int64(uniform(seed, number, LONGEST_HAND + 2) * seats)
    for seat in range(seats):
        if seat != alone:
            sitting[seat] = opponent
    return alone


@kernel
def _deal_hand(table: Any, rules: Any, seed: Any, number: int, pack: Any) -> None:
    for seat in range(4):
        table.scores[seat] = rules.start if seat < rules.seats else 0
    table.hands_played = 0
    shuffle(seed, number, pack)
    deal(table, rules, pack, draw_dealer(seed, number, rules.seats))


@kernel
def _count_hand(table: Any, rules: Any, alone: int, totals: Any) -> None:
    totals[3] += 1
    if alone >= 0:
        totals[0] += 1
        totals[1] += rules.toward * (table.scores[alone] - rules.start)
        for seat in range(rules.seats):
            totals[2] += rules.toward * (table.scores[seat] - rules.start)
