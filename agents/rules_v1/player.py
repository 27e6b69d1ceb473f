"""`rules-v1`: a hand-written player of every profile and house rule, compiled.

Before the play it weighs the points its hand may bring (`making`, `hand_value`), in the play the odds of the cards
still out (`card_play`, `chances`), both by the score of the match (`stakes`). It reads only what the rules say, never a
profile's name.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import numpy as np

from agents.rules_v1.card_play import best_card
from agents.rules_v1.hand_value import NUM_FEATURES
from agents.rules_v1.making import best_before_play
from agents.rules_v1.stakes import NUM_STAKES, weigh_stakes
from buck_env.base.compiled import compiling, kernel
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.bits import only
from buck_env.game.engine import apply, legal
from buck_env.game.hidden import hide_table
from buck_env.game.options import PHASES, Phase
from buck_env.game.rules import Rules
from buck_env.observation.views import Views

__all__ = ["Playouts", "RulesV1", "Thoughts", "decide_blind", "make_thoughts"]


class Playouts(NamedTuple):
    """How B hands would end for the seats to act."""

    each: np.ndarray
    """(B, A) float32: points toward the target still to come after each action played out, 0 elsewhere;"""
    own: np.ndarray
    """(B,) float32: after the player's own choice."""
    later: np.ndarray
    """(K,) TABLE: where such a seat has its first choice after the action in the phases asked for, none by default,"""
    origin: np.ndarray
    """(K, 2) int64: and the row and the action that it comes after, in order."""


class Thoughts(NamedTuple):
    """Room for one decision of this player at a time; no two threads may share it."""

    features: np.ndarray
    """What it sees in its hand before the play."""
    stakes: np.ndarray
    """What points are worth at this score."""
    future: np.ndarray
    """(24, 4): what the cards still out may do."""


def make_thoughts() -> Thoughts:
    """Room for one decision."""
    return Thoughts(np.empty(NUM_FEATURES), np.empty(NUM_STAKES), np.empty((24, 4)))


class RulesV1:
    """The rule player of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._packed = rules.packed()

    def act(self, views: Views) -> np.ndarray:
        """Actions (B,); chance plays no part."""
        actions = np.empty(len(views), np.int64)
        with compiling("rules-v1", __file__):
            _decide_rows(views.tables, self._packed, views.seats, make_thoughts(), actions)
        return actions

    def play_out(self, tables: np.ndarray, *, every: bool = True, until: Collection[str] = ()) -> Playouts:
        """How the hands at tables (B,) TABLE, all cards dealt, would end for the seats to act, were they played on by
        this player at every seat, after every legal action or after its own choice alone.

        With `until`, also the tables where the same seat has its first choice after that in one of these phases. The
        tables given are left as they are.
        """
        each = np.zeros((len(tables), NUM_ACTIONS), np.float32)
        own = np.empty(len(tables), np.float32)
        phases = np.array([phase in until for phase in PHASES])
        scratch = tables[:1].copy(), tables[:1].copy(), make_thoughts()
        room = len(tables) * NUM_ACTIONS if until else 0
        later = np.empty(room, tables.dtype)
        origin = np.empty((room, 2), np.int64)
        with compiling("rules-v1", __file__):
            found = _play_out_rows(tables, self._packed, every, phases, *scratch, each, own, later, origin)
        return Playouts(each, own, later[:found], origin[:found])


@kernel
def _decide_rows(tables: Any, packed: Any, seats: Any, thoughts: Any, actions: Any) -> None:
    rules = packed[0]
    for i in range(len(tables)):
        actions[i] = _decide(tables[i], rules, seats[i], thoughts)


@kernel
def _decide(table: Any, rules: Any, seat: int, thoughts: Any) -> int:
    options = legal(table, rules)
    if options & options - 1 == 0:
        return only(options)
    weigh_stakes(table, rules, seat, thoughts.stakes)
    if table.phase == Phase.PLAY:
        return best_card(table, rules, seat, options, thoughts.stakes, thoughts.future)
    return best_before_play(table, rules, seat, options, thoughts.features, thoughts.stakes)


@kernel
def _play_out_rows(
    tables: Any, packed: Any, every: bool, phases: Any, played: Any, seen: Any, thoughts: Any,
    each: Any, own: Any, later: Any, origin: Any,
) -> int:  # fmt: skip
    """The number of next choices found."""
    rules = packed[0]
    found = 0
    for i in range(len(tables)):
        seat = tables[i].seat
        before = tables[i].scores[seat]
        choice = decide_blind(tables[i], rules, seen, thoughts)
        options = legal(tables[i], rules) if every else 1 << choice
        for action in range(NUM_ACTIONS):
            if options >> action & 1:
                played[0] = tables[i]
                apply(played[0], rules, action)
                waits = True
                while played[0].phase != Phase.OVER:
                    turn = legal(played[0], rules)
                    if turn & turn - 1 == 0:
                        apply(played[0], rules, only(turn))
                        continue
                    if waits and played[0].seat == seat and phases[played[0].phase]:
                        later[found] = played[0]
                        origin[found, 0] = i
                        origin[found, 1] = action
                        found += 1
                        waits = False
                    apply(played[0], rules, decide_blind(played[0], rules, seen, thoughts))
                each[i, action] = rules.toward * (played[0].scores[seat] - before)
        own[i] = each[i, choice]
    return found


@kernel
def decide_blind(table: Any, rules: Any, seen: Any, thoughts: Any) -> int:
    """The action of the seat to act, with what it may not know hidden from it; `seen` (1,) TABLE is room for that."""
    seen[0] = table
    hide_table(seen[0], rules, table.seat)
    return _decide(seen[0], rules, table.seat, thoughts)
