"""What programs do wrong: the kinds of faults, how they are counted, and the action that stands for a forfeit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

__all__ = ["FORFEIT", "FaultKind", "ProgramFault", "faults_text"]

FORFEIT: Final = -1
"""What `act` returns in place of an action where a program is at fault and forfeits the hand."""

FaultKind = Literal["start", "exit", "timeout", "output", "illegal", "given up"]


class ProgramFault(Exception):
    """What a program did wrong: a kind, and in words."""

    def __init__(self, kind: FaultKind, message: str) -> None:
        super().__init__(message)
        self.kind: FaultKind = kind


def faults_text(counts: Mapping[str, int]) -> str:
    """The counts of programs in words, as in ``3 of 120 decisions replaced: 2 timeout, 1 illegal``."""
    kinds = [f"{count:,} {kind}" for kind, count in counts.items() if kind not in ("decisions", "replaced")]
    replaced = f"{counts.get('replaced', 0):,} of {counts.get('decisions', 0):,} decisions replaced"
    if counts.get("decisions") and counts.get("replaced") == counts["decisions"]:
        replaced += ", so that none of this is its own play"
    return f"{replaced}: {', '.join(kinds)}" if kinds else replaced
