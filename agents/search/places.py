"""Cards as places in one order of strength: the plain suits first, trumps on top, stronger cards higher in each suit.

With a card's place as a bit, the winner of a trick is the highest of the places that follow or trump.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT
from buck_env.game.cards import NO_TRUMP, STRENGTH, SUIT

__all__ = ["CARD_AT", "FOLLOW_AT", "PLACE", "SUIT_OF_PLACE", "highest", "places_of"]


def _tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    place, suit_of = np.zeros((5, 24), np.int64), np.zeros((5, 24), np.int64)
    follow = np.zeros((5, 4), np.int64)
    for trump in range(5):
        plain = [suit for suit in range(4) if suit != trump]
        order = [*plain, trump] if trump != NO_TRUMP else plain
        cards = [
            card
            for suit in order
            for card in sorted(np.flatnonzero(SUIT[trump] == suit), key=lambda c: int(STRENGTH[trump, suit, c]))
        ]
        for at, card in enumerate(cards):
            place[trump, card] = at
            suit_of[trump, at] = SUIT[trump, card]
            follow[trump, SUIT[trump, card]] |= 1 << at
    return place, suit_of, follow


PLACE, SUIT_OF_PLACE, FOLLOW_AT = _tables()
"""By trump: the place of a card (5, 24), the suit of a place (5, 24), the places of a suit, a mask (5, 4)."""
CARD_AT = np.argsort(PLACE, axis=1)
"""By trump: the card of a place (5, 24)."""


@kernel
def places_of(cards: Any, trump: Any) -> Any:
    """The places of a set of cards, a mask of cards, as a mask of places."""
    places = np.int64(0)
    for card in range(24):
        if cards & BIT[card]:
            places |= BIT[PLACE[trump, card]]
    return places


_HIGHEST = np.array([max(0, half.bit_length() - 1) for half in range(1 << 12)])


@kernel
def highest(places: Any) -> Any:
    """The highest of a set of places that is not empty."""
    upper = places >> 12
    return 12 + _HIGHEST[upper] if upper else _HIGHEST[places]
