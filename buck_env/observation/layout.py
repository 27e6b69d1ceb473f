"""The observation's named pieces, and where each one lies: computed, never typed.

Seats are relative to the viewer: 0 is the viewer itself, 1 its left neighbour, and so on; in games of three the fourth
place stays 0. Cards are ``6 * suit + rank``, suits ``C D H S``, ranks ``9 T J Q K A``. Every entry is 0 or 1 but where
a piece says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from types import MappingProxyType
from typing import NamedTuple

from buck_env.game.table import PHASES

__all__ = ["LAYOUT", "OBSERVATION_SIZE", "PIECES", "Piece"]


class Piece(NamedTuple):
    """One piece of the observation."""

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: int = 0
    high: int = 1


PIECES = (
    Piece("phase", (8,), f"the phase: {', '.join(PHASES)}; all 0 when the hand is over"),
    Piece("actor", (4,), "the seat to act; all 0 when the hand is over"),
    Piece("dealer", (4,), "the dealer"),
    Piece("maker", (4,), "the maker; in the auction the standing bidder"),
    Piece("passed", (3, 4), "who passed in order, in call, and in the auction since the last bid"),
    Piece("exchanged", (4,), "who exchanged"),
    Piece("kept", (4,), "who kept"),
    Piece("stayed", (4,), "who stayed"),
    Piece("dropped", (4,), "who dropped"),
    Piece("reneged", (4,), "who reneged"),
    Piece("leaders", (5, 4), "who led each trick"),
    Piece("bids", (8, 4), "who bid 1..8"),
    Piece("contract", (8,), "tricks the maker undertakes, or the standing bid: 1..8"),
    Piece("scores", (4,), "points still to go to the target, by seat, clipped to -128..127", -128, 127),
    Piece("led", (4,), "the suit led to the trick in progress, the left bower's being trump"),
    Piece("tricks", (4, 5), "tricks taken, by seat: 1..5"),
    Piece("trump", (5,), "trump: C D H S NT; all 0 before it is made"),
    Piece("no_maker", (1,), "trump is made and nobody undertakes anything"),
    Piece("trick_number", (5,), "the trick in progress, first to fifth"),
    Piece(
        "hands_left", (1,), "hands still to score where a match has a number of them, clipped to 127; else 0", 0, 127
    ),
    Piece("hand", (24,), "the viewer's cards"),
    Piece("taken", (24,), "cards the viewer took up: the buck, the upcard, the widow or a hand laid down"),
    Piece("discards", (24,), "the viewer's discards, 1 for the first to 4 for the fourth", 0, 4),
    Piece("laid", (24,), "the hand the viewer laid down in an exchange"),
    Piece("upcard", (24,), "the turned card, also after it is turned down or taken up"),
    Piece("trick", (24,), "the cards of the trick in progress"),
    Piece("played_by", (4, 24), "every card played, by seat"),
    Piece("played_in", (5, 24), "every card played, by trick"),
)
"""The pieces in order."""


def _slices() -> dict[str, slice]:
    slices = {}
    start = 0
    for piece in PIECES:
        slices[piece.name] = slice(start, start + prod(piece.shape))
        start = slices[piece.name].stop
    return slices


LAYOUT: Mapping[str, slice] = MappingProxyType(_slices())
"""The slice of each piece: ``observation[LAYOUT["hand"]]``."""

OBSERVATION_SIZE = LAYOUT[PIECES[-1].name].stop
"""D, the length of an observation."""
