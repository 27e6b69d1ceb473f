"""Holdings of several seats drawn together: in proportion to the product of their chances, no card in two of them.

For two seats' holdings that share no card, the chances of all that the third may hold beside them are summed. Of few
unseen cards, these sums are made once for every set of cards. Of many there are more sets than pairs of holdings, and
few of the third's holdings fit beside a pair: those are found by a bit each.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from agents.beliefs.chance import draw_fraction
from buck_env.base.compiled import kernel
from buck_env.game.bits import count

__all__ = ["draw_together"]

_FEW: Final = 17
"""Unseen cards up to which there is a sum for every set of them."""
_BITS: Final = 48
"""Holdings of a word: `count` knows no more bits than 56."""


@kernel
def draw_together(used: Any, chances: Any, numbers: Any, unseen: int, chance: Any, drawn: Any) -> bool:
    """Draw a holding of each of S seats, 1 to 3, so many times: `drawn`, (N, S), gets their places in the lists.

    `used` and `chances`, (3, K), hold the cards and the chance of each holding, `numbers`, (3,), how many a seat has; a
    seat that is not there has one holding of no cards. False where no holdings fit together.
    """
    cards = np.zeros(used.shape, np.int64)
    for seat in range(3):
        for i in range(numbers[seat]):
            cards[seat, i] = _squeezed(used[seat, i], unseen)
    everything = (np.int64(1) << count(unseen)) - 1
    third = chances[2]
    few = count(unseen) <= _FEW
    inside = _sums_inside(cards[2], third, numbers[2], everything + 1 if few else 1)
    beside_first = _find_beside(cards[0], numbers[0], cards[2], 0 if few else numbers[2])
    beside_second = _find_beside(cards[1], numbers[1], cards[2], 0 if few else numbers[2])
    firsts = np.empty(numbers[0])
    total = 0.0
    for i in range(numbers[0]):
        left = everything ^ cards[0, i]
        both = 0.0
        for j in range(numbers[1]):
            if cards[1, j] & ~left == 0:
                rest = inside[left ^ cards[1, j]] if few else _sum_beside(beside_first[i], beside_second[j], third)
                both += chances[1, j] * rest
        total += chances[0, i] * both
        firsts[i] = total
    if not total > 0.0:
        return False
    for row in range(len(drawn)):
        first = min(np.searchsorted(firsts, draw_fraction(chance) * total, side="right"), numbers[0] - 1)
        left = everything ^ cards[0, first]
        both = (firsts[first] - (firsts[first - 1] if first else 0.0)) / chances[0, first]
        wanted = draw_fraction(chance) * both
        second, room = -1, 0.0
        for j in range(numbers[1]):
            if cards[1, j] & ~left == 0:
                rest = inside[left ^ cards[1, j]] if few else _sum_beside(beside_first[first], beside_second[j], third)
                if chances[1, j] * rest > 0.0:
                    second, room = j, rest
                    wanted -= chances[1, j] * rest
                    if wanted < 0.0:
                        break
        left ^= cards[1, second]
        wanted = draw_fraction(chance) * room
        last = -1
        for k in range(numbers[2]):
            if cards[2, k] & ~left == 0 and third[k] > 0.0:
                last = k
                wanted -= third[k]
                if wanted < 0.0:
                    break
        drawn[row, 0], drawn[row, 1], drawn[row, 2] = first, second, last
    return True


@kernel
def _find_beside(cards: Any, number: int, others: Any, number_of_others: int) -> Any:
    """For each of some holdings, which of the others share no card with it: (number, W) int64, `_BITS` others a
    word."""
    words = -(-number_of_others // _BITS)
    every = np.zeros(words, np.int64)
    holders = np.zeros((24, words), np.int64)
    for k in range(number_of_others):
        word, bit = k // _BITS, np.int64(1) << k % _BITS
        every[word] |= bit
        left = others[k]
        while left:
            low = left & -left
            left ^= low
            holders[count(low - 1), word] |= bit
    beside = np.empty((number, words), np.int64)
    for i in range(number):
        beside[i] = every
        left = cards[i]
        while left:
            low = left & -left
            left ^= low
            for word in range(words):
                beside[i, word] &= ~holders[count(low - 1), word]
    return beside


@kernel
def _sum_beside(first: Any, second: Any, chances: Any) -> float:
    """The sum of the chances of those that are in both of two rows of `_find_beside`."""
    total = 0.0
    for word in range(len(first)):
        both = first[word] & second[word]
        while both:
            low = both & -both
            both ^= low
            total += chances[_BITS * word + count(low - 1)]
    return total


@kernel
def _squeezed(cards: int, unseen: int) -> int:
    """The cards of a mask as places among the unseen ones."""
    places = np.int64(0)
    place = np.int64(1)
    while unseen:
        low = unseen & -unseen
        unseen ^= low
        if cards & low:
            places |= place
        place <<= 1
    return places


@kernel
def _sums_inside(cards: Any, weights: Any, number: int, size: int) -> Any:
    """For every set of the unseen cards, of which there are `size`, the sum of the chances of the holdings that lie
    inside it; nothing for a size of 1."""
    sums = np.zeros(size)
    if size == 1:
        return sums
    for i in range(number):
        sums[cards[i]] += weights[i]
    step = 1
    while step < size:
        for start in range(0, size, 2 * step):
            for at in range(start, start + step):
                sums[at + step] += sums[at]
        step *= 2
    return sums
