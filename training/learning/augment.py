"""Suit augmentation: the same decision with its suits going by other names is a decision of the same worth."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Literal

import numpy as np

from buck_env.game.actions import NAME, NUM_ACTIONS
from buck_env.game.cards import NO_TRUMP
from buck_env.game.rules import Rules
from buck_env.observation.pieces import PIECES, Piece
from training.learning.unseen_cards import UNSEEN

__all__ = ["SuitAugmentation", "Suits", "symmetries"]

Suits = Literal["observation", "unseen", "actions", "action"]
"""What of suits a row of values has: the entries of an observation or of unseen cards, an entry an action, or the id of
one action."""


def symmetries(rules: Rules) -> list[tuple[int, ...]]:
    """What each of C D H S may go by so that colours stay paired and nothing in the rules changes, plain suits first.

    A rule that names clubs fixes clubs, and with them spades.
    """
    paired = [names for names in permutations(range(4)) if all(names[3 - s] == 3 - names[s] for s in range(4))]
    return [names for names in paired if names[0] == 0 or not rules.forced_clubs]


class SuitAugmentation:
    """Relabels rows of observations, masks, unseen cards and actions by the symmetries of some rules, K of them."""

    def __init__(self, rules: Rules) -> None:
        suits = [np.array([*names, NO_TRUMP]) for names in symmetries(rules)]
        cards = [(6 * names[:4, None] + np.arange(6)).ravel() for names in suits]
        self.observation = np.array([_sources(PIECES, c, s) for c, s in zip(cards, suits, strict=True)])
        """(K, D): where entry i of a relabelled observation is taken from."""
        self.unseen = np.array([_sources([UNSEEN], c, s) for c, s in zip(cards, suits, strict=True)])
        """(K, H): where entry i of relabelled unseen cards is taken from."""
        self.to = np.tile(np.arange(NUM_ACTIONS), (len(suits), 1))
        """(K, A): what an action goes by."""
        self.to[:, :24] = cards
        self.to[:, NAME : NAME + 5] = NAME + np.array(suits)
        self.action = np.argsort(self.to, axis=1)
        """(K, A): where entry i of a relabelled mask is taken from."""

    def __len__(self) -> int:
        return len(self.to)

    def rename(self, suits: Suits, values: np.ndarray, names: np.ndarray) -> np.ndarray:
        """Rows of values (B, ...) of this kind, those of row i with their suits going by the symmetry names[i]."""
        if suits == "action":
            return self.to[names, values]
        sources = {"observation": self.observation, "unseen": self.unseen, "actions": self.action}[suits]
        return np.take_along_axis(values, sources[names], axis=1)


def _sources(pieces: Sequence[Piece], cards: np.ndarray, suits: np.ndarray) -> np.ndarray:
    """Where each entry of some pieces is taken from when cards (24,) and suits (5,) go by these names: (D,)."""
    names = {"cards": cards, "suits": suits}
    sources = []
    start = 0
    for piece in pieces:
        entries = np.arange(start, start + piece.size).reshape(piece.shape)
        for number, axis in enumerate(piece.axes):
            if axis.kind in names:
                entries = entries.take(np.argsort(names[axis.kind][: axis.size]), axis=number)
        sources.append(entries.ravel())
        start += piece.size
    return np.concatenate(sources)
