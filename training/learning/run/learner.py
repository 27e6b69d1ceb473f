"""What a run needs of whoever learns in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np

from agents import Agent

__all__ = ["Learner"]


class Learner(Protocol):
    """Self-play, or MaskablePPO."""

    decisions: int
    """Decisions learned from so far."""
    updates: int
    """Rollouts learned from so far."""
    objective: str
    """What the bot plays for: ``points`` or ``win``."""
    phases: list[str]
    """The phases that it learns to decide."""
    otherwise: str
    """The agent that decides the other phases."""

    def begin(self) -> None:
        """Take over the weights of the run's initial bot."""

    def iterate(self, progress: float) -> dict[str, float]:
        """Learn from one rollout, at a progress of the run from 0 to 1; the figures to log."""

    def weights(self) -> dict[str, np.ndarray]:
        """The bot's weights as they are now."""

    def as_player(self, bot: Agent) -> Agent:
        """The bot as it sits down to be measured."""

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that decide how the run goes on."""

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned. LookupError, TypeError, ValueError or RuntimeError where it is damaged."""

    def close(self) -> None:
        """Let go of threads and processes."""
