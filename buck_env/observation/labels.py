"""Suits by other names: cards, sets of cards and actions relabelled, and actions back again.

Labels are one integer with three bits a suit: suit s of C D H S NT goes by ``labels >> 3 * s & 7``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.game.actions import NAME
from buck_env.game.cards import NO_TRUMP

__all__ = [
    "PLAIN",
    "PRINTED",
    "label_of",
    "labels_with",
    "original_action",
    "original_rows",
    "relabel_rows",
    "relabelled_action",
    "relabelled_card",
    "relabelled_cards",
    "relabelled_names",
]

PLAIN: Final = 0o43210
"""The labels of suits as they are."""

PRINTED = np.arange(24, dtype=np.int64) // 6
"""(24,): the suit that is printed on a card."""

_RANK = np.arange(24, dtype=np.int64) % 6


@kernel
def labels_with(first: int, second: int) -> int:
    """The labels under which these suits, of two colours, go by C and D, and their twins by S and H."""
    return 1 << 3 * second | 2 << 3 * (3 - second) | 3 << 3 * (3 - first) | NO_TRUMP << 3 * NO_TRUMP


@kernel
def label_of(suit: int, labels: int) -> int:
    """What a suit goes by."""
    return labels >> 3 * suit & 7


@kernel
def relabelled_card(card: int, labels: int) -> int:
    """A card with its suit going by `labels`."""
    printed = PRINTED[card]
    return card + 6 * (label_of(printed, labels) - printed)


@kernel
def relabelled_cards(cards: int, labels: int) -> int:
    """A set of cards, a mask, with suits going by `labels`."""
    if labels == PLAIN:
        return cards
    relabelled = np.int64(0)
    for suit in range(4):
        relabelled |= (cards >> 6 * suit & 63) << 6 * label_of(suit, labels)
    return relabelled


@kernel
def relabelled_names(names: int, labels: int) -> int:
    """A set of suits to be named, a bit each, going by `labels`."""
    if labels == PLAIN:
        return names
    relabelled = np.int64(0)
    for suit in range(4):
        relabelled |= (names >> suit & 1) << label_of(suit, labels)
    return relabelled


@kernel
def relabelled_action(action: int, labels: int) -> int:
    """An action with suits going by `labels`."""
    if action < 24:
        return relabelled_card(action, labels)
    if NAME <= action < NAME + 4:
        return NAME + label_of(action - NAME, labels)
    return action


@kernel
def original_action(action: int, labels: int) -> int:
    """The action that `relabelled_action` gives as this one."""
    if action < 24 or NAME <= action < NAME + 4:
        label = PRINTED[action] if action < 24 else action - NAME
        suit = 0
        while label_of(suit, labels) != label:
            suit += 1
        return 6 * suit + _RANK[action] if action < 24 else NAME + suit
    return action


@kernel
def relabel_rows(actions: Any, labels: Any, out: Any) -> None:
    """Actions under their labels, shape (N,); what is no action stays."""
    for i in range(len(actions)):
        out[i] = relabelled_action(actions[i], labels[i]) if actions[i] >= 0 else actions[i]


@kernel
def original_rows(actions: Any, labels: Any, out: Any) -> None:
    """Actions chosen under labels as the actions they stand for, shape (B,)."""
    for i in range(len(actions)):
        out[i] = original_action(actions[i], labels[i])
