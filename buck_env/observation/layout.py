"""Where each piece of an observation lies: computed from `PIECES`, never typed."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from buck_env.observation.pieces import PIECES, Piece

__all__ = ["AT", "CARDS_AT", "LAYOUT", "OBSERVATION_SIZE", "Offsets", "check_alignment"]

_WORD: Final = {"seats": 4, "cards": 8}
"""Kernels write a set of seats 4 bytes at a time and a set of cards 8, by the kind of a piece's last axis."""


def _slices(pieces: Sequence[Piece]) -> dict[str, slice]:
    slices = {}
    start = 0
    for piece in pieces:
        slices[piece.name] = slice(start, start + piece.size)
        start = slices[piece.name].stop
    return slices


def check_alignment(pieces: Sequence[Piece]) -> None:
    """ValueError, which names the piece, where kernels could not write these pieces several bytes at a time."""
    slices = _slices(pieces)
    cards_begun = False
    for piece in pieces:
        start, kind = slices[piece.name].start, piece.axes[-1].kind
        word = _WORD.get(kind, 1)
        if start % word or (word > 1 and piece.axes[-1].size % word):
            raise ValueError(
                f"piece {piece.name} of shape {piece.shape} starts at {start}: a set of {kind} is written {word} bytes "
                f"at a time, so that start and last axis must be multiples of {word}"
            )
        if cards_begun and kind != "cards":
            raise ValueError(f"piece {piece.name} follows pieces of cards: those come last, after all others")
        cards_begun = kind == "cards"


check_alignment(PIECES)

LAYOUT: Mapping[str, slice] = MappingProxyType(_slices(PIECES))
"""The slice of each piece: ``observation[LAYOUT["hand"]]``."""

OBSERVATION_SIZE: Final = LAYOUT[PIECES[-1].name].stop
"""D, the length of an observation."""

Offsets: Any = namedtuple("Offsets", list(LAYOUT))  # type: ignore[misc]  # its fields are the pieces' names
AT: Any = Offsets(*(piece.start for piece in LAYOUT.values()))
"""Where each piece starts, for kernels, which take its fields as constants: ``AT.hand``."""

CARDS_AT: Final = min(LAYOUT[piece.name].start for piece in PIECES if piece.axes[-1].kind == "cards")
"""Where the pieces of cards begin, which come after all others."""
