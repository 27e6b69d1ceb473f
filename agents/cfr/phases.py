"""The phases that regret minimisation learns."""

from __future__ import annotations

from typing import Final

__all__ = ["LEARNED"]

LEARNED: Final = ("order", "call", "bid", "stay")
"""The others (exchange, discard, name, play) another agent decides."""
