"""What a player sees: the observation of the environments, piece by piece, and the hand so far as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.observation.encode import encode_rows
from buck_env.observation.layout import LAYOUT, OBSERVATION_SIZE
from buck_env.observation.pieces import PIECES

__all__ = ["BuckEuchreObserver"]


class BuckEuchreObserver:
    """`tensor`, (D,) float32, and `dict`, the same by piece, each in its shape; all 0 before the deal."""

    def __init__(self) -> None:
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {piece.name: self.tensor[LAYOUT[piece.name]].reshape(piece.shape) for piece in PIECES}

    def set_from(self, state: Any, player: int) -> None:
        """Write what a player sees of a state."""
        position = state.position
        if position.table is None:
            self.tensor[:] = 0
            return
        view = np.empty((1, OBSERVATION_SIZE), np.int8)
        packed = position.rules.packed()
        encode_rows(position.table, packed, np.array([player]), False, view, np.empty(1, np.int64))
        self.tensor[:] = view[0]

    def string_from(self, state: Any, player: int) -> str:
        """All that a player knows of the hand."""
        text: str = state.position.seen(player)
        return text
