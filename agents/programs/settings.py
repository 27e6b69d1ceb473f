"""What programs that play are allowed."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

__all__ = ["LONGEST", "CommandSettings", "Seconds"]

LONGEST: Final = 86400
"""The largest number of seconds that a limit may be."""
Seconds = Annotated[float, Field(gt=0, le=LONGEST)]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class CommandSettings:
    """What programs that play are allowed, and what becomes of their faults."""

    on_fault: Literal["random", "forfeit"] = "random"
    """A legal action drawn evenly takes the place of a missing one; or the seat forfeits the hand, where a game has
    forfeits (`training.measuring.arena`)."""
    timeout: Seconds = 10.0
    """Seconds for an answer, counted from the answer before it."""
    start_timeout: Seconds = 60.0
    """Seconds for the first line."""
