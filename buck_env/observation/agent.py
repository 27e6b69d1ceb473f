"""What an agent is, and the one that knows nothing."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np

from buck_env.game.rules import Rules
from buck_env.observation.views import Views, pick_evenly

__all__ = ["Agent", "RandomAgent"]


@runtime_checkable
class Agent(Protocol):
    """Whoever decides. An agent keeps no state: the same views give the same actions, however they are batched."""

    def act(self, views: Views) -> np.ndarray:
        """One legal action a view, (B,) integers, suits as they are.

        Everything a seat knows is in `views`; what chance an agent needs is `views.uniforms`, a number in [0, 1) of
        each decision's own.
        """
        ...


class RandomAgent:
    """A legal action drawn evenly by each decision's own number."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def act(self, views: Views) -> np.ndarray:
        """Actions (B,)."""
        return pick_evenly(views.action_mask, views.uniforms)
