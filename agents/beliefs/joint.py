"""Holdings of several seats drawn together: in proportion to the product of their chances, no card in two of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.beliefs.chance import draw_fraction
from buck_env.base.compiled import kernel

__all__ = ["draw_together"]


@kernel
def draw_together(used: Any, chances: Any, numbers: Any, unseen: int, chance: Any, drawn: Any) -> bool:
    """Draw a holding of each of S seats, 1 to 3, so many times: `drawn`, (N, S), gets their places in the lists.

    `used` and `chances`, (3, K), hold the cards and the chance of each holding, `numbers`, (3,), how many a seat has; a
    seat that is not there has one holding of no cards. False where no holdings fit together.
    """
    cards, weights = np.zeros(used.shape, np.int64), chances
    for seat in range(3):
        for i in range(numbers[seat]):
            cards[seat, i] = _squeezed(used[seat, i], unseen)
    inside = _sums_inside(cards[2], weights[2], numbers[2], unseen)
    everything = len(inside) - 1
    firsts = np.empty(numbers[0])
    total = 0.0
    for i in range(numbers[0]):
        left = everything ^ cards[0, i]
        both = 0.0
        for j in range(numbers[1]):
            if cards[1, j] & ~left == 0:
                both += weights[1, j] * inside[left ^ cards[1, j]]
        total += weights[0, i] * both
        firsts[i] = total
    if not total > 0.0:
        return False
    for row in range(len(drawn)):
        first = min(np.searchsorted(firsts, draw_fraction(chance) * total, side="right"), numbers[0] - 1)
        left = everything ^ cards[0, first]
        both = (firsts[first] - (firsts[first - 1] if first else 0.0)) / weights[0, first]
        wanted = draw_fraction(chance) * both
        second = -1
        for j in range(numbers[1]):
            if cards[1, j] & ~left == 0 and weights[1, j] * inside[left ^ cards[1, j]] > 0.0:
                second = j
                wanted -= weights[1, j] * inside[left ^ cards[1, j]]
                if wanted < 0.0:
                    break
        left ^= cards[1, second]
        wanted = draw_fraction(chance) * inside[left]
        third = -1
        for k in range(numbers[2]):
            if cards[2, k] & ~left == 0 and weights[2, k] > 0.0:
                third = k
                wanted -= weights[2, k]
                if wanted < 0.0:
                    break
        drawn[row, 0], drawn[row, 1], drawn[row, 2] = first, second, third
    return True


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
def _sums_inside(cards: Any, weights: Any, number: int, unseen: int) -> Any:
    """For every set of the unseen cards the sum of the chances of the holdings that lie inside it."""
    size = 1
    while unseen:
        unseen &= unseen - 1
        size *= 2
    sums = np.zeros(size)
    for i in range(number):
        sums[cards[i]] += weights[i]
    step = 1
    while step < size:
        for start in range(0, size, 2 * step):
            for at in range(start, start + step):
                sums[at + step] += sums[at]
        step *= 2
    return sums
