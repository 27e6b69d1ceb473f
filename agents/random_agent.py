"""The agent that knows nothing."""

from __future__ import annotations

import numpy as np

from buck_env.rules import Rules
from buck_env.views import Views, pick_evenly

__all__ = ["RandomAgent"]


class RandomAgent:
    """A legal action drawn evenly by each decision's own number."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def act(self, views: Views) -> np.ndarray:
        """Actions (B,)."""
        return pick_evenly(views.action_mask, views.uniforms)
