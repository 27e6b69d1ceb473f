"""What the cards still out can do to a card: exact odds for one hand, multiplied over the seats yet to play."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT, count
from buck_env.game.cards import FOLLOW, NO_TRUMP, STRENGTH, SUIT
from buck_env.game.facts import upcard_taken
from buck_env.game.table import CARD, SEAT_SHIFT

__all__ = ["MISS", "seen_cards", "shown_voids", "survives"]

MISS = np.array(
    [[[comb(max(u - k, 0), n) / comb(u, n) if u >= n else 0.0 for k in range(25)] for u in range(25)] for n in range(6)]
)
"""(6, 25, 25): the chance that a hand of n, out of u unseen cards, holds none of k of them."""

BEATS = np.zeros((5, 4, 24), np.int64)
"""(5, 4, 24): the cards that beat a card, a mask by trump, led suit and card."""

for _trump, _led, _card in np.ndindex(BEATS.shape):
    _power = STRENGTH[_trump, _led]
    BEATS[_trump, _led, _card] = sum(1 << other for other in range(24) if _power[other] > _power[_card])


@kernel
def seen_cards(table: Any, rules: Any, seat: int) -> int:
    """The cards that no other seat can still play, as far as this one knows."""
    seen = np.int64(table.hand[seat])
    if table.exchanged < 2 * BIT[seat] and table.exchanged & (table.exchanged - 1) == 0:
        seen |= np.int64(table.laid[seat])  # nobody has taken what it laid down
    for i in range(9):
        if table.rest[i] >= 0:
            seen |= BIT[table.rest[i]]
    if table.dealer != seat and upcard_taken(table, rules):
        seen &= ~BIT[table.rest[0]]
    for i in range(4):
        if table.discards[i] >= 0:
            seen |= BIT[table.discards[i]]
    for i in range(table.played):
        seen |= BIT[table.plays[i] & CARD]
    return seen


@kernel
def shown_voids(table: Any) -> int:
    """What seats have shown by not following: bit ``4 * seat + suit`` where no card of a suit is left."""
    voids = 0
    trick = -1
    led = 0
    for i in range(table.played):
        suit = SUIT[table.trump, table.plays[i] & CARD]
        if i == table.starts[trick + 1]:
            trick += 1
            led = suit
        elif suit != led:
            voids |= 1 << (4 * (table.plays[i] >> SEAT_SHIFT) + led)
    return voids


@kernel
def survives(trump: int, led: int, card: int, n: int, hidden: int, unseen: int, seats: int, voids: int) -> float:
    """The chance that none of some seats, n cards each, beats a card in a trick where a suit was led.

    Their hands come out of `unseen` cards, among them those of the mask `hidden`.
    """
    beating = BEATS[trump, led, card] & hidden
    if beating == 0 or n == 0:
        return 1.0
    follow = count(FOLLOW[trump, led] & hidden)
    higher = count(beating & FOLLOW[trump, led])
    trumps = count(beating) - higher  # of another suit than the led one
    off = max(unseen - follow, 0)
    chance = 1.0
    for seat in range(4):
        if seats >> seat & 1:
            ruffs = 1.0 - MISS[n, off, trumps]
            if trump == NO_TRUMP or voids >> (4 * seat + trump) & 1:
                ruffs = 0.0
            if voids >> (4 * seat + led) & 1:
                chance *= 1.0 - ruffs
            else:
                chance *= MISS[n, unseen, higher] - MISS[n, unseen, follow] * ruffs
    return max(chance, 0.0)
