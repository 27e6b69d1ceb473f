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
from buck_env.compiled import compiling, kernel
from buck_env.engine import legal
from buck_env.rules import Rules
from buck_env.table import PHASE_PLAY
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


@kernel
def _decide_rows(tables: Any, packed: Any, seats: Any, actions: Any) -> None:
    rules = packed[0]
    x = np.empty(NUM_FEATURES)
    stakes = np.empty(NUM_STAKES)
    future = np.empty((24, 4))
    for i in range(len(tables)):
        table = tables[i]
        options = legal(table, rules)
        if options & options - 1 == 0:
            actions[i] = _only(options)
            continue
        weigh_stakes(table, rules, seats[i], stakes)
        if table.phase == PHASE_PLAY:
            actions[i] = choose_card(table, rules, seats[i], options, stakes, future)
        else:
            actions[i] = choose_before_play(table, rules, seats[i], options, x, stakes)


@kernel
def _only(options: int) -> int:
    """The one action of a legal set."""
    action = 0
    while options >> action > 1:
        action += 1
    return action
