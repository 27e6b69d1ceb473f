"""Bare random play, as the benchmark counts it: the rules alone, without an observation, a mask or a reward."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.game import engine
from buck_env.game.bits import count, nth
from buck_env.game.options import Phase
from buck_env.game.shuffle import philox, shuffle

__all__ = ["play_out"]


def play_out(packed: Any, tables: Any, seeds: Any, deals: Any, decisions: int) -> int:
    """Bare random play, hand after hand, no view written: about so many decisions at each table; how many were made."""
    return int(_play_out(packed, tables, seeds, deals, decisions, np.empty(24, np.int8)))


@kernel
def _play_out(packed: Any, tables: Any, seeds: Any, deals: Any, decisions: int, pack: Any) -> int:
    rules = packed[0]
    made = 0
    for i in range(len(tables)):
        table = tables[i]
        target = made + decisions
        while made < target:
            shuffle(seeds[i], deals[i], pack)
            engine.deal(table, rules, pack, deals[i] % rules.seats)
            deals[i] += 1
            words = philox(np.uint64(seeds[i]), np.uint64(deals[i]), np.uint64(1))
            mixed = words[0] | np.uint64(1)
            while table.phase != Phase.OVER:
                legal = engine.legal(table, rules)
                mixed ^= (mixed << np.uint64(13)) & np.uint64(0xFFFFFFFF)  # xorshift32
                mixed ^= mixed >> np.uint64(17)
                mixed ^= (mixed << np.uint64(5)) & np.uint64(0xFFFFFFFF)
                chosen = np.int64((mixed * np.uint64(count(legal))) >> np.uint64(32))
                engine.apply(table, rules, nth(legal, chosen))
                made += 1
    return made
