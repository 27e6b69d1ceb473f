"""What a run needs of whoever learns in it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from agents import Agent

__all__ = ["Learner"]


class Learner(Protocol):
    """Self-play PPO, MaskablePPO, regret minimisation, or the all-action gradient."""

    decisions: int
    """Decisions learned from so far."""
    updates: int
    """Rollouts learned from so far."""
    phases: list[str]
    """The phases that its bot decides."""
    otherwise: str
    """The agent that decides the other phases."""

    @property
    def prefix(self) -> str:
        """What the names of its bots begin with, without the colon."""

    @property
    def origin(self) -> str:
        """What it starts from, in words."""

    def begin(self) -> None:
        """Take over what the run starts from, where it does not start from nothing."""

    def iterate(self, progress: float) -> dict[str, float]:
        """Learn from one rollout, at a progress of the run from 0 to 1; the figures to log."""

    def write_bot(self, folder: Path, facts: Mapping[str, Any]) -> Agent:
        """Write the bot as it is now into a folder, with these facts about the run; it, as an agent.

        The facts are the fields `rules`, `seed`, `decisions`, `seconds`, `cores`, `curve` and `config` of a manifest.
        """

    def as_player(self, bot: Agent) -> Agent:
        """The bot as it sits down to be measured."""

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that decide how the run goes on."""

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned. LookupError, TypeError, ValueError or RuntimeError where it is damaged."""

    def close(self) -> None:
        """Let go of threads and processes."""
