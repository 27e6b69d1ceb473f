"""What a leaderboard measures, and how long."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["AGENTS", "REFERENCES", "Places", "Settings"]

REFERENCES: Final = ("rules-v1", "pretrained")
"""The agents among which all others are measured."""
AGENTS: Final = ("random", *REFERENCES, "cfr", "pimc:20", "pimc:100", "ismcts:1000", "search:pretrained,200")
"""The rows. `cfr` is the run of the shipped configuration `cfr-PROFILE`."""


@dataclass(frozen=True)
class Settings:
    """How much is measured."""

    deals: int = 20_000
    """Duplicate deals among each reference."""
    slow: float = 1.0
    """Agents with more milliseconds a decision than this play fewer deals."""
    slow_deals: int = 2_000
    seconds: float = 10.0
    """How long each agent's decisions are timed."""
    hands: int = 200
    """Hands of `rules-v1` whose decisions these are."""
    minutes: float = 5.0
    """How long a best response learns."""
    too_slow: float = 5.0
    """Agents with more milliseconds a decision than this get no best response."""
    seed: int = 1


@dataclass(frozen=True)
class Places:
    """Where a leaderboard is kept and shown, from the root of the repository."""

    figures: Path = Path("runs/leaderboard")
    """Each figure as it is made, so that what was interrupted goes on."""
    boards: Path = Path("training/leaderboard/boards")
    """The boards, a file a profile; they are committed, so that one profile can be measured anew."""
    page: Path = Path("agents/README.md")
    picture: Path = Path("notebooks/pictures/strength.png")
