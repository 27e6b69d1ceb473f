"""The cards that a seat does not see, for an oracle critic: the other hands, and the cards beside the hands."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.observation.labels import relabelled_card
from buck_env.observation.pieces import CARDS, Axis, Piece

__all__ = ["UNSEEN", "UNSEEN_SIZE", "write_unseen"]

UNSEEN: Final = Piece(
    "unseen",
    (Axis("number", 4), CARDS),
    "three hands, clockwise from the viewer's left (two in games of three), then the cards beside the hands",
)
"""What the critic is given beside the pieces of an observation."""

UNSEEN_SIZE: Final = UNSEEN.size
"""H, the number of its entries."""

_BESIDE: Final = 3 * 24


@kernel
def write_unseen(tables: Any, seats: int, viewers: Any, labels: Any, out: Any) -> None:
    """Row i for viewers[i], suits going by labels[i], into out[i], shape (B, H) int8, of tables (B,) TABLE."""
    for i in range(len(tables)):
        for at in range(UNSEEN_SIZE):
            out[i, at] = 0
        for place in range(1, seats):
            hand = np.int64(tables[i].hand[(viewers[i] + place) % seats])
            for card in range(24):
                if hand >> card & 1:
                    out[i, 24 * (place - 1) + relabelled_card(card, labels[i])] = 1
        for place in range(24 - 5 * seats):
            beside = int(tables[i].rest[place])
            if beside >= 0:
                out[i, _BESIDE + relabelled_card(beside, labels[i])] = 1
