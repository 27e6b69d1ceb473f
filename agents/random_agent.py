"""The agent that knows nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.compiled import kernel
from buck_env.rules import Rules
from buck_env.views import Views

__all__ = ["RandomAgent"]


class RandomAgent:
    """A legal action drawn evenly by each decision's own number."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def act(self, views: Views) -> np.ndarray:
        """Actions (B,)."""
        actions = np.empty(len(views), np.int64)
        _draw_rows(views.action_mask, views.uniforms, actions)
        return actions


@kernel
def _draw_rows(masks: Any, uniforms: Any, actions: Any) -> None:
    """The k-th legal action of each row, where k is its uniform's share of their number."""
    for i in range(len(masks)):
        count = 0
        for action in range(masks.shape[1]):
            count += masks[i, action]
        left = int(uniforms[i] * count)
        for action in range(masks.shape[1]):
            if masks[i, action]:
                if left == 0:
                    actions[i] = action
                    break
                left -= 1
