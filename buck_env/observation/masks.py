"""Legal actions as a mask, and how a set of bits is written a byte each."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.game import engine
from buck_env.game.actions import NAME
from buck_env.observation.labels import relabelled_cards, relabelled_names

__all__ = ["MASK_ROW", "mask_rows", "spread", "write_mask"]

MASK_ROW: Final = np.dtype((np.record, [("eights", "u8", 5), ("last", "i1", 3)]))
"""A row of a mask, to be written eight entries at a time."""

_SPREAD = np.array([sum((m >> i & 1) << 8 * i for i in range(8)) for m in range(256)], np.uint64)
"""(256,): eight bits, as eight bytes of 0 or 1."""

_ALL_CARDS: Final = (1 << 24) - 1
_ALL_NAMES: Final = 15 << NAME
_ONE: Final = np.uint64(1)
_BYTE: Final = np.uint64(255)


@kernel
def spread(bits: int, i: int) -> int:
    """The bits 8 * i .. 8 * i + 7 of an unsigned set, as eight bytes of 0 or 1."""
    return _SPREAD[bits >> np.uint64(8 * i) & _BYTE]


@kernel
def write_mask(legal: int, labels: int, rows: Any, row: int) -> None:
    """Write a legal set of 43 bits, with suits going by `labels`, into a row of a mask seen as MASK_ROW, (B, 1)."""
    cards = relabelled_cards(legal & _ALL_CARDS, labels)
    names = relabelled_names(legal >> NAME & 15, labels) << NAME
    relabelled = np.uint64(cards | names | legal & ~(_ALL_CARDS | _ALL_NAMES))
    out = rows[np.uint64(row), np.uint64(0)]
    for i in range(5):
        out.eights[i] = spread(relabelled, i)
    for i in range(3):
        out.last[i] = relabelled >> np.uint64(40 + i) & _ONE


@kernel
def mask_rows(tables: Any, packed: Any, labels: Any, mask: Any) -> None:
    """Write row i of a mask, shape (B, A), for the seat to act at tables[i], with suits going by labels[i]."""
    rows = mask.view(MASK_ROW)
    for i in range(len(tables)):
        write_mask(engine.legal(tables[i], packed[0]), labels[i], rows, i)
