"""What a seat may not know, as the oracle critic sees it: the other hands, and the cards beside them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.observation.encode import relabelled_action

__all__ = ["HIDDEN_SIZE", "write_hidden"]

HIDDEN_SIZE: Final = 4 * 24
"""H: three hands, clockwise from the viewer's left (two in games of three), then the cards beside them; 24 each."""


def write_hidden(tables: np.ndarray, seats: int, viewers: np.ndarray, labels: np.ndarray, out: np.ndarray) -> None:
    """Row i for viewers[i], suits going by labels[i], into out[i], shape (B, H) int8, of tables (B,) TABLE."""
    _write_rows(tables, seats, viewers, labels, out)


@kernel
def _write_rows(tables: Any, seats: int, viewers: Any, labels: Any, out: Any) -> None:
    for i in range(len(tables)):
        for at in range(HIDDEN_SIZE):
            out[i, at] = 0
        for place in range(1, seats):
            hand = np.int64(tables[i].hand[(viewers[i] + place) % seats])
            for card in range(24):
                if hand >> card & 1:
                    out[i, 24 * (place - 1) + relabelled_action(card, labels[i])] = 1
        for place in range(24 - 5 * seats):
            beside = int(tables[i].rest[place])
            if beside >= 0:
                out[i, 72 + relabelled_action(beside, labels[i])] = 1
