"""`rules-v1`: a hand-written player of every profile and house rule, compiled.

Before the play it weighs the points its hand may bring (`making`, `hand_value`), in the play the odds of the cards
still out (`card_play`, `chances`), both by the score of the match (`stakes`). It reads only what the rules say, never a
profile's name.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.card_play import choose_card
from agents.hand_value import NUM_FEATURES
from agents.making import choose_before_play
from agents.stakes import NUM_STAKES, weigh_stakes
from buck_env.actions import NUM_ACTIONS
from buck_env.compiled import compiling, kernel
from buck_env.engine import apply, legal
from buck_env.hidden import hide_table
from buck_env.rules import Rules
from buck_env.table import PHASE_OVER, PHASE_PLAY
from buck_env.views import Views

__all__ = ["RulesV1"]


class RulesV1:
    """The rule player of one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._packed = rules.packed()

    def act(self, views: Views) -> np.ndarray:
        """Actions (B,); chance plays no part."""
        actions = np.empty(len(views), np.int64)
        with compiling("rules-v1", __file__):
            _decide_rows(views.tables, self._packed, views.seats, actions)
        return actions

    def play_out(self, tables: np.ndarray, *, every: bool = True) -> tuple[np.ndarray, np.ndarray]:
        """Points toward the target that the seats to act have still to come in their hands, were they played on from
        tables (B,) TABLE, all cards dealt, by this player at every seat: (B, A) float32 after every legal action, or
        after its own choice alone, 0 elsewhere; and (B,) after its own choice. The tables are left as they are.
        """
        each = np.zeros((len(tables), NUM_ACTIONS), np.float32)
        own = np.empty(len(tables), np.float32)
        with compiling("rules-v1", __file__):
            _play_out_rows(tables, self._packed, every, tables[:1].copy(), tables[:1].copy(), each, own)
        return each, own


@kernel
def _decide_rows(tables: Any, packed: Any, seats: Any, actions: Any) -> None:
    rules = packed[0]
    x = np.empty(NUM_FEATURES)
    stakes = np.empty(NUM_STAKES)
    future = np.empty((24, 4))
    for i in range(len(tables)):
        actions[i] = _decide(tables[i], rules, seats[i], x, stakes, future)


@kernel
def _decide(table: Any, rules: Any, seat: int, x: Any, stakes: Any, future: Any) -> int:
    options = legal(table, rules)
    if options & options - 1 == 0:
        return _only(options)
    weigh_stakes(table, rules, seat, stakes)
    if table.phase == PHASE_PLAY:
        return choose_card(table, rules, seat, options, stakes, future)
    return choose_before_play(table, rules, seat, options, x, stakes)


@kernel
def _play_out_rows(tables: Any, packed: Any, every: bool, played: Any, seen: Any, each: Any, own: Any) -> None:
    rules = packed[0]
    x = np.empty(NUM_FEATURES)
    stakes = np.empty(NUM_STAKES)
    future = np.empty((24, 4))
    for i in range(len(tables)):
        seat = tables[i].seat
        before = tables[i].scores[seat]
        choice = _choose(tables[i], rules, seen, x, stakes, future)
        options = legal(tables[i], rules) if every else 1 << choice
        for action in range(NUM_ACTIONS):
            if options >> action & 1:
                played[0] = tables[i]
                apply(played[0], rules, action)
                while played[0].phase != PHASE_OVER:
                    apply(played[0], rules, _choose(played[0], rules, seen, x, stakes, future))
                each[i, action] = rules.toward * (played[0].scores[seat] - before)
        own[i] = each[i, choice]


@kernel
def _choose(table: Any, rules: Any, seen: Any, x: Any, stakes: Any, future: Any) -> int:
    """The choice of the seat to act, of what it sees."""
    seen[0] = table
    hide_table(seen[0], rules, table.seat)
    return _decide(seen[0], rules, table.seat, x, stakes, future)


@kernel
def _only(options: int) -> int:
    """The one action of a legal set."""
    action = 0
    while options >> action > 1:
        action += 1
    return action
