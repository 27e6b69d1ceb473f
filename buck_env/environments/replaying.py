"""Compiled replay: logged hands played again, and the first log that no play leads to."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.game import engine
from buck_env.game.options import Phase

__all__ = ["replay"]


@kernel
def replay(packed: Any, logs: Any, tables: Any) -> int:
    """Play every logged hand again into tables, (N,) each; the first row whose log is impossible, or -1.

    A log without a pack is of no hand, and its table stays as it is.
    """
    rules = packed[0]
    for i in range(len(logs)):
        log, table = logs[i], tables[i]
        dealt = 0
        for card in log.pack:
            if card < 0 or card >= 24:
                return i
            dealt |= 1 << np.int64(card)
        if dealt == 1:
            continue
        if dealt != (1 << 24) - 1 or log.dealer < 0 or log.dealer >= rules.seats or log.steps < 0:
            return i
        for seat in range(4):
            table.scores[seat] = log.scores[seat]
        table.hands_played = log.hands_played
        engine.deal(table, rules, log.pack, log.dealer)
        for step in range(log.steps):
            if table.phase == Phase.OVER:
                return i
            action = log.actions[step]
            if action < 0 or not engine.permitted(table, rules) >> action & 1:
                return i
            engine.apply(table, rules, action)
    return -1
