"""Suit augmentation: the same decision with its suits going by other names is a decision of the same worth."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from buck_env.game.actions import NAME, NUM_ACTIONS
from buck_env.game.rules import Rules
from buck_env.observation.layout import LAYOUT, OBSERVATION_SIZE, PIECES
from training.learning.hidden_cards import HIDDEN_SIZE

__all__ = ["SuitAugmentation", "symmetries"]


def symmetries(rules: Rules) -> list[tuple[int, ...]]:
    """What each of C D H S may go by so that colours stay paired and nothing in the rules changes, plain suits first.

    A rule that names clubs fixes clubs, and with them spades.
    """
    paired = [names for names in permutations(range(4)) if all(names[3 - s] == 3 - names[s] for s in range(4))]
    return [names for names in paired if names[0] == 0 or not rules.forced_clubs]


class SuitAugmentation:
    """Relabels rows of observations, masks, hidden cards and actions by the symmetries of some rules, K of them."""

    def __init__(self, rules: Rules) -> None:
        cards = [[6 * names[i // 6] + i % 6 for i in range(24)] for names in symmetries(rules)]
        suits = [[*names, 4] for names in symmetries(rules)]
        self.observation = np.array([_observation(c, s) for c, s in zip(cards, suits, strict=True)])
        """(K, D): where entry i of a relabelled observation is taken from."""
        self.hidden = np.array([_blocks([c] * (HIDDEN_SIZE // 24)) for c in cards])
        self.to = np.array([[*c, *range(24, NAME), *(NAME + i for i in s), *range(NAME + 5, NUM_ACTIONS)]
                            for c, s in zip(cards, suits, strict=True)])  # fmt: skip
        """(K, A): what an action goes by."""
        self.action = np.argsort(self.to, axis=1)
        """(K, A): where entry i of a relabelled mask is taken from."""

    def __len__(self) -> int:
        return len(self.to)


def _blocks(targets: list[list[int]]) -> list[int]:
    """Where each entry is taken from, of consecutive blocks whose entry i goes to target[i]."""
    sources: list[int] = []
    for target in targets:
        start = len(sources)
        sources += [start + int(i) for i in np.argsort(target)]
    return sources


def _observation(cards: list[int], suits: list[int]) -> list[int]:
    targets: list[list[int]] = []
    for piece in PIECES:
        width = LAYOUT[piece.name].stop - LAYOUT[piece.name].start
        if piece.shape[-1] == 24:
            targets += [cards] * (width // 24)
        elif piece.name in ("trump", "led"):
            targets.append(suits[:width])
        else:
            targets.append(list(range(width)))
    sources = _blocks(targets)
    assert len(sources) == OBSERVATION_SIZE
    return sources
