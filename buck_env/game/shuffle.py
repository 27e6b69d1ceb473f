"""Random numbers keyed by what they are for: Philox4x32-10 (Salmon et al., SC 2011).

The key is a table's seed, the counter says which number of which deal, so any one deal can be dealt again alone and
nothing that happens at another table changes it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel

__all__ = [
    "FOR_ACTIONS",
    "FOR_DEALER",
    "FOR_PACK",
    "FOR_SEAT",
    "draw_dealer",
    "draw_seats",
    "philox",
    "shuffle",
    "uniform",
]

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_MULTIPLY_0 = np.uint64(0xD2511F53)
_MULTIPLY_2 = np.uint64(0xCD9E8D57)
_WEYL_0 = np.uint64(0x9E3779B9)
_WEYL_1 = np.uint64(0xBB67AE85)

FOR_PACK, FOR_DEALER, FOR_ACTIONS, FOR_SEAT = range(4)
"""The streams of one deal."""


@kernel
def philox(key: Any, high: Any, low: Any) -> tuple[int, int, int, int]:
    """Four uint32 (as uint64) of a 64-bit key and a 128-bit counter given as two uint64."""
    k0, k1 = key & _LOW, key >> _HALF
    c0, c1, c2, c3 = low & _LOW, low >> _HALF, high & _LOW, high >> _HALF
    for _ in range(10):
        p0 = _MULTIPLY_0 * c0
        p2 = _MULTIPLY_2 * c2
        c0, c1, c2, c3 = (p2 >> _HALF) ^ c1 ^ k0, p2 & _LOW, (p0 >> _HALF) ^ c3 ^ k1, p0 & _LOW
        k0 = (k0 + _WEYL_0) & _LOW
        k1 = (k1 + _WEYL_1) & _LOW
    return c0, c1, c2, c3


@kernel
def _below(word: Any, limit: int) -> int:
    """A number 0..limit-1 of a uint32; uneven by less than limit / 2**32."""
    return np.int64((word * np.uint64(limit)) >> _HALF)


@kernel
def shuffle(seed: int, number: int, pack: Any) -> None:
    """Shuffle the 24 cards of one deal into `pack`: Fisher-Yates on the stream of (seed, deal number)."""
    for card in range(24):
        pack[card] = card
    left = 24
    for block in range(6):
        words = philox(np.uint64(seed), np.uint64(number), np.uint64(4 * block + FOR_PACK))
        for word in words:
            if left > 1:
                chosen = _below(word, left)
                left -= 1
                card = pack[chosen]
                pack[chosen] = pack[left]
                pack[left] = card


@kernel
def draw_dealer(seed: int, number: int, seats: int) -> int:
    """The dealer of a match that begins with this deal (RULES §1.8)."""
    return _below(philox(np.uint64(seed), np.uint64(number), np.uint64(FOR_DEALER))[0], seats)


@kernel
def draw_seats(seeds: Any, numbers: Any, seats: int, out: Any) -> None:
    """A seat for the learner of each episode that begins with a deal, shape (N,)."""
    for i in range(len(out)):
        out[i] = _below(philox(np.uint64(seeds[i]), np.uint64(numbers[i]), np.uint64(FOR_SEAT))[0], seats)


@kernel
def uniform(seed: int, number: int, step: int) -> float:
    """A number in [0, 1) for one decision of one deal."""
    word = philox(np.uint64(seed), np.uint64(number), np.uint64(4 * step + FOR_ACTIONS))[0]
    return np.float64(word) / 4294967296.0
