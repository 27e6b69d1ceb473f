"""Canonical suits: labels under which two views that differ only in the names of their suits become the same view.

Trump is labelled C; before it is made the turned card's suit where that is proposed, else the suit that would be the
strongest trump of one's own hand. Its colour twin is labelled S, so that bowers stay bowers. What is left to choose
is settled by comparing all that the view shows of the suits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import borrowing_kernel as kernel
from buck_env.game.bits import BIT
from buck_env.game.cards import NO_TRUMP
from buck_env.game.facts import held_or_played, taken_up
from buck_env.game.options import Making
from buck_env.game.table import CARD, NONE
from buck_env.observation.labels import PLAIN, PRINTED, labels_with, relabelled_card, relabelled_cards

__all__ = ["SUITS_RULE", "canonical_suits"]

SUITS_RULE = """\
Suits C D H S: C and S are of one colour, D and H of the other; the two suits of a colour are each other's twins. \
Choose a first suit, and a second suit of the other colour. The first goes by C, its twin by S, the second by D, its \
twin by H; no-trump stays. Where a suit is trump, it is the first. Otherwise, where the rules have making: order, the \
suit of the turned card is the first. Otherwise it is the suit that would be worth most as trump to the cards that \
the viewer holds or has played: A 6, K 5, Q 4, J 10, T 3, 9 3, and the twin's J 8; equals are all tried. Of the \
labellings that are still possible, tried with the first suit in the order C D H S and within it the second, take the \
highest; of equals the one tried first. To compare two labellings, relabel by each of them, and let the first \
difference decide, in this order: the set of cards that the viewer holds or has played; the set that it holds; the \
set that it took up; the set that it laid down; its discards, one by one in order; the turned card; all cards played, \
one by one in order. Cards rank by suit, C D H S upwards, then by 9 T J Q K A; of two sets the higher has the highest \
card that is not in both."""
"""How `canonical_suits` relabels suits, in words, for whoever writes it anew."""

_TRUMP_WORTH = np.array([3, 3, 10, 4, 5, 6], np.int64)  # 9 T J Q K A as trumps; the left bower is worth 8


@kernel
def canonical_suits(table: Any, rules: Any, viewer: int) -> int:
    """The canonical labels of C D H S NT for one seat's view."""
    first = NONE
    if 0 <= table.trump < NO_TRUMP:
        first = np.int64(table.trump)
    elif rules.turn_up and rules.making == Making.ORDER.value:
        first = PRINTED[table.rest[0]]
    if first != NONE:
        second = 1 if first in (0, 3) else 0
        return _better(table, rules, viewer, labels_with(first, second), labels_with(first, 3 - second))
    cards = held_or_played(table, viewer)
    best = -1
    labels = PLAIN
    for suit in range(4):
        worth = _worth(cards, suit)
        for second in range(4):
            if second not in (suit, 3 - suit) and worth >= best:
                other = labels_with(suit, second)
                labels = other if worth > best else _better(table, rules, viewer, labels, other)
                best = worth
    return labels


@kernel
def _worth(cards: int, trump: int) -> int:
    """How good a trump a suit is for these cards."""
    worth = 8 if cards & BIT[6 * (3 - trump) + 2] else 0
    for rank in range(6):
        if cards & BIT[6 * trump + rank]:
            worth += _TRUMP_WORTH[rank]
    return worth


@kernel
def _better(table: Any, rules: Any, viewer: int, a: int, b: int) -> int:
    """Of two labellings the one whose view comes later in a fixed order; where views compare equal, they are."""
    for cards in (
        held_or_played(table, viewer),
        np.int64(table.hand[viewer]),
        taken_up(table, rules, viewer),
        np.int64(table.laid[viewer]),
    ):
        x, y = relabelled_cards(cards, a), relabelled_cards(cards, b)
        if x != y:
            return a if x > y else b
    if viewer == table.dealer:
        for i in range(4):
            if table.discards[i] >= 0:
                x, y = relabelled_card(table.discards[i], a), relabelled_card(table.discards[i], b)
                if x != y:
                    return a if x > y else b
    if rules.turn_up:
        x, y = relabelled_card(table.rest[0], a), relabelled_card(table.rest[0], b)
        if x != y:
            return a if x > y else b
    for i in range(table.played):
        x, y = relabelled_card(table.plays[i] & CARD, a), relabelled_card(table.plays[i] & CARD, b)
        if x != y:
            return a if x > y else b
    return a
