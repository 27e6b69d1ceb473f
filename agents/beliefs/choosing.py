"""Which of many holdings of a seat are worth rating.

A few are drawn evenly and rated. What they say of each card, by itself, tells which of many more look likely, and of
these some are chosen to be rated too. A holding then counts the less, the likelier it was to be among those rated: that
one was chosen makes it no likelier. How well the guess fits changes how much the deals are worth, and nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from agents.beliefs.chance import draw_fraction
from buck_env.base.compiled import kernel
from buck_env.game.cards import CARDS

__all__ = ["Sizes", "choose_likely", "shares_of", "sizes_for"]

LEAST_PILOT: Final = 64
MOST_POOL: Final = 8192
CAUTION: Final = 2.0
"""How much evidence a card needs before it counts: this many holdings that say the same."""
SWEEPS: Final = 20
_SIZE: Final = len(CARDS)
LOWEST: Final = -6.0
"""A holding that is less likely than the best by more than this, in logarithms, looks as unlikely as any."""


class Sizes(NamedTuple):
    """How many holdings of a seat are drawn evenly, how many of these are rated at once, and how many are chosen."""

    pool: int
    pilot: int
    chosen: int


def sizes_for(deals: int) -> Sizes:
    """The sizes for so many deals: for each, one holding is rated at once, and of fifteen more two or three are."""
    pilot = min(max(LEAST_PILOT, deals), MOST_POOL // 16)
    return Sizes(16 * pilot, pilot, 5 * pilot // 2)


def shares_of(logs: Sequence[np.ndarray], number: int) -> list[int]:
    """How many holdings to choose of each of S seats, `number` on average: more of one of whose pilot few are likely.

    `logs` has the logarithms (K,) of the pilot's likelihoods of each seat.
    """
    likely = [np.exp(one - one.max()) for one in logs]
    needs = np.array([np.sqrt((one**2).sum()) / one.sum() for one in likely])
    return [int(share) for share in np.minimum(len(logs) * number * needs / needs.sum(), 4 * number)]


@kernel
def choose_likely(pilot: Any, logs: Any, pool: Any, number: int, chances: Any, odds: Any) -> int:
    """Move about so many of the pool, (P,) HOLDING, to its front, the likelier ones sooner; returns how many, C.

    `logs`, (K,), are the logarithms of the likelihoods of the pilot, (K,) HOLDING. `odds`, (K + P,), gets how many
    times each holding of the pilot, and then of the front of the pool, could be expected among these K + C.
    """
    slopes = np.zeros(2 * _SIZE)
    _learn_slopes(pilot, logs, slopes)
    for k in range(len(pilot)):
        odds[k] = np.exp(_guess(pilot[k], slopes))
    for k in range(len(pool)):
        odds[len(pilot) + k] = np.exp(_guess(pool[k], slopes))
    _share_out(odds, len(pilot), number)
    found, passed = 0, draw_fraction(chances[0])
    for k in range(len(pool)):
        share = odds[len(pilot) + k]
        passed += share
        if passed >= 1.0:
            passed -= 1.0
            pool[found] = pool[k]
            odds[len(pilot) + found] = share
            found += 1
    for k in range(len(pilot) + found):
        odds[k] = len(pilot) + len(pool) * odds[k]
    return found


@kernel
def _guess(holding: Any, slopes: Any) -> float:
    """The sum of the slopes of the cards that a holding uses, and of those it laid down."""
    guess = 0.0
    for card in range(_SIZE):
        guess += slopes[card] * (holding.used >> card & 1) + slopes[_SIZE + card] * (holding.laid >> card & 1)
    return guess


@kernel
def _learn_slopes(pilot: Any, logs: Any, slopes: Any) -> None:
    """How much each card used, and each laid down, raises the logarithm of the likelihood: ridge regression."""
    size = 2 * _SIZE
    best = logs.max()
    middle, target, means = 0.0, np.zeros(size), np.zeros(size)
    products = np.zeros((size, size))
    has = np.zeros(size)
    for k in range(len(pilot)):
        level = max(logs[k] - best, LOWEST)
        middle += level / len(pilot)
        for card in range(_SIZE):
            has[card] = pilot[k].used >> card & 1
            has[_SIZE + card] = pilot[k].laid >> card & 1
        for a in range(size):
            if has[a]:
                means[a] += 1.0 / len(pilot)
                target[a] += level
                for b in range(size):
                    products[a, b] += has[b]
    for a in range(size):
        target[a] -= len(pilot) * middle * means[a]
        for b in range(size):
            products[a, b] -= len(pilot) * means[a] * means[b]
    for _ in range(SWEEPS):  # Gauss-Seidel
        for a in range(size):
            if means[a] > 0.0:
                rest = target[a]
                for b in range(size):
                    rest -= products[a, b] * slopes[b]
                slopes[a] += (rest - CAUTION * slopes[a]) / (products[a, a] + CAUTION)


@kernel
def _share_out(odds: Any, pilot: int, number: int) -> None:
    """Turn guesses into chances to be chosen, in proportion but at most 1, which add up to `number` over the pool or to
    less."""
    scale = 0.0
    for _ in range(4):  # those above 1 leave more to the others
        full, rest = 0, 0.0
        for k in range(pilot, len(odds)):
            if odds[k] * scale >= 1.0:
                full += 1
            else:
                rest += odds[k]
        if rest > 0.0:
            scale = max(scale, (number - full) / rest)
    for k in range(len(odds)):
        odds[k] = min(1.0, odds[k] * scale)
