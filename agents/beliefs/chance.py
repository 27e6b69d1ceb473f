"""Random numbers of one decision: a stream of Philox words, kept in an array that kernels hand on.

The key is the decision's own uniform number and the counter the stream it was asked for, so that the same view draws
the same deals however decisions are batched and on however many cores.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.bits import count
from buck_env.game.shuffle import philox

__all__ = ["CHANCE", "draw_below", "draw_cards", "draw_fraction", "open_chance"]

CHANCE: Final = np.dtype(
    (np.record, [("key", "u8"), ("stream", "u8"), ("block", "u8"), ("words", "u8", 4), ("used", "i8")])
)
"""A stream: its key, the counter of its next block, and the last block's four words, some of them used."""
_WORDS: Final = 4


@kernel
def open_chance(chance: Any, key: int, stream: int) -> None:
    """Begin the stream of a key, the bits of a decision's uniform number."""
    chance.key = np.uint64(key)
    chance.stream = np.uint64(stream)
    chance.block = np.uint64(0)
    chance.used = _WORDS


@kernel
def _next_word(chance: Any) -> Any:
    """The next 32 bits, as uint64."""
    if chance.used == _WORDS:
        words = philox(chance.key, chance.stream, chance.block)
        for i in range(_WORDS):
            chance.words[i] = words[i]
        chance.block += np.uint64(1)
        chance.used = 0
    word = chance.words[chance.used]
    chance.used += 1
    return word


@kernel
def draw_below(chance: Any, limit: int) -> int:
    """A number of 0..limit-1; uneven by less than limit / 2**32."""
    return np.int64((_next_word(chance) * np.uint64(limit)) >> np.uint64(32))


@kernel
def draw_fraction(chance: Any) -> float:
    """A number in [0, 1)."""
    return np.float64(_next_word(chance)) / 4294967296.0


@kernel
def draw_cards(chance: Any, cards: int, number: int) -> int:
    """So many cards of a mask, every choice of them equally likely."""
    out = count(cards)
    if 2 * number > out:  # the fewer are drawn, those that stay
        return cards & ~_draw_few(chance, cards, out, out - number)
    return _draw_few(chance, cards, out, number)


@kernel
def _draw_few(chance: Any, cards: int, out: int, number: int) -> int:
    drawn = np.int64(0)
    for _ in range(number):
        rest = cards & ~drawn
        for _ in range(draw_below(chance, out)):
            rest &= rest - 1
        drawn |= rest & -rest
        out -= 1
    return drawn
