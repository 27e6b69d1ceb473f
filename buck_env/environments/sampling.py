"""Compiled sampling: a legal action for every table, drawn evenly."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.shuffle import philox

__all__ = ["sample_rows"]


@kernel
def sample_rows(masks: Any, seed: int, call: int, actions: Any) -> None:
    """A legal action of each row of masks, shape (N, A), drawn evenly; -1 where none is."""
    for i in range(len(masks)):
        count = 0
        for action in range(NUM_ACTIONS):
            count += masks[i, action]
        actions[i] = -1
        if count:
            word = philox(np.uint64(seed), np.uint64(call), np.uint64(i))[0]
            left = np.int64((word * np.uint64(count)) >> np.uint64(32))
            for action in range(NUM_ACTIONS):
                left -= masks[i, action]
                if left < 0:
                    actions[i] = action
                    break
