"""The 24 cards, their text, and the lookup tables that know the bowers.

A card is ``0..23``: ``6 * suit + rank`` with suits ``C D H S`` and ranks ``9 T J Q K A``; a set of cards is a bit mask.
Suits ``s`` and ``3 - s`` have the same colour. This is the only place where a jack is more than a card: everything
else asks ``SUIT``, ``FOLLOW`` and ``STRENGTH``.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

__all__ = [
    "CARDS",
    "FOLLOW",
    "NO_TRUMP",
    "RANKS",
    "STRENGTH",
    "SUIT",
    "SUITS",
    "TRUMPS",
    "card_id",
    "cards_in",
    "mask_of",
]

RANKS = "9TJQKA"
SUITS = "CDHS"
TRUMPS = ("C", "D", "H", "S", "NT")
NO_TRUMP = 4
CARDS = tuple(rank + suit for suit in SUITS for rank in RANKS)

_JACK = 2
_PLAIN_ORDER = {rank: i for i, rank in enumerate((0, 1, 2, 3, 4, 5))}  # 9 T J Q K A
_TRUMP_ORDER = {rank: i for i, rank in enumerate((0, 1, 3, 4, 5))}  # 9 T Q K A, below the bowers


def _suit_table() -> np.ndarray:
    """The suit a card belongs to: its own, but the left bower is a trump. Shape (5 trumps, 24 cards).

    RULES §1.3, §1.6.
    """
    suit = np.tile(np.arange(24, dtype=np.uint8) // 6, (5, 1))
    for trump in range(4):
        suit[trump, 6 * (3 - trump) + _JACK] = trump
    return suit


def _strength_table(suit: np.ndarray) -> np.ndarray:
    """What wins a trick: shape (5 trumps, 4 led suits, 24 cards); 0 cannot win, plain 1..6, trump 7..13.

    RULES §1.4, §1.5.
    """
    strength = np.zeros((5, 4, 24), np.uint8)
    for trump in range(5):
        for led in range(4):
            for card in range(24):
                printed, rank = divmod(card, 6)
                if suit[trump, card] == trump:
                    if rank == _JACK:
                        strength[trump, led, card] = 13 if printed == trump else 12
                    else:
                        strength[trump, led, card] = 7 + _TRUMP_ORDER[rank]
                elif suit[trump, card] == led:
                    strength[trump, led, card] = 1 + _PLAIN_ORDER[rank]
    return strength


SUIT = _suit_table()
"""(5, 24) uint8: the suit a card belongs to under each trump."""

FOLLOW = np.array([[sum(1 << c for c in range(24) if SUIT[t, c] == s) for s in range(4)] for t in range(5)], np.int64)
"""(5, 4) int64: the mask of all cards that belong to a suit under each trump."""

STRENGTH = _strength_table(SUIT)
"""(5, 4, 24) uint8: a card's power in a trick, by trump and led suit; the highest wins, 0 never does."""

for _table in (SUIT, FOLLOW, STRENGTH):
    _table.setflags(write=False)

_IDS = {text: i for i, text in enumerate(CARDS)} | {"10" + suit: 6 * s + 1 for s, suit in enumerate(SUITS)}


def card_id(text: object) -> int:
    """The card of a text such as ``"9C"`` or ``"TH"`` (``"10H"`` is read too); ValueError for anything else.

    RULES §1.1, §1.2.
    """
    card = _IDS.get(text) if isinstance(text, str) else None
    if card is None:
        raise ValueError(f"{text!r} is not a card: rank 9 T J Q K A then suit C D H S, as in 'JD'")
    return card


def cards_in(mask: int) -> list[int]:
    """The cards of a mask, lowest first."""
    return [card for card in range(24) if int(mask) >> card & 1]


def mask_of(cards: Iterable[int]) -> int:
    """The mask of some cards."""
    return sum(1 << card for card in set(cards))
