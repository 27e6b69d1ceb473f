"""The cards that a seat has not seen, and where they may be."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from buck_env.game.cards import FOLLOW, SUIT, cards_in, mask_of
from buck_env.game.facts import BUCK, WIDOW, dealer_took, exchange_place, shown_beside, upcard_taken
from buck_env.game.options import Making
from buck_env.game.table import CARD, NONE, SEAT_SHIFT
from buck_env.openspiel.position import Position

__all__ = ["Unseen"]

_ALL = (1 << 24) - 1
_BATCH = 256

_PLACES = 7
_DISCARDED, _LAID, _BESIDE = 4, 5, 6
"""The places after those of the four hands: the dealer's discards, the hand last laid down, and the cards beside."""


class Unseen:
    """The places of a table that a seat does not see: how many cards each holds, `counts`, and which, `allowed`.

    A seat that did not follow suit has no more of it; the upcard that a dealer took is in its hand or discarded.
    """

    def __init__(self, position: Position, viewer: int) -> None:
        assert position.table is not None
        self.position, self.viewer = position, viewer
        self.rules, self.dealer = position.rules, position.dealer
        self.packed = self.rules.packed()[0]
        self.t = position.table[0]
        t, seats = self.t, range(self.rules.seats)
        self.plays = [(int(code) >> SEAT_SHIFT, int(code) & CARD) for code in t.plays[: t.played]]
        self.played = [mask_of(card for seat, card in self.plays if seat == holder) for holder in seats]
        self.discards = [card for card in t.discards.tolist() if card != NONE]
        self.took = int(dealer_took(t, self.packed))
        order = sorted(seats, key=lambda seat: int(exchange_place(t, self.packed, seat)))
        self.takers = [seat for seat in order if int(t.exchanged) >> seat & 1]
        self.beside = BUCK if self.rules.making is Making.DEALER else WIDOW if self.takers else int(self.rules.turn_up)
        """How many of the cards beside the hands are of a kind apart: the upcard, or those that were taken up."""
        self.rest = position.pack[5 * self.rules.seats :]
        self.upcard = 1 << self.rest[0] if upcard_taken(t, self.packed) else 0
        self.counts = [0] * _PLACES
        self.allowed = [_ALL] * _PLACES
        self._count()

    def _count(self) -> None:
        t, viewer = self.t, self.viewer
        known = int(t.hand[viewer]) | int(t.laid[viewer]) | mask_of(card for _, card in self.plays)
        took_widow = self.takers[:1] == [viewer]
        known |= mask_of(self.rest[: int(shown_beside(self.packed, viewer == self.dealer, took_widow))])
        self.follower = NONE
        """The seat that took the viewer's own hand in an exchange: the viewer knows its cards."""
        if viewer in self.takers[:-1]:
            self.follower = self.takers[self.takers.index(viewer) + 1]
        for seat in range(self.rules.seats):
            if seat not in (viewer, self.follower):
                self.counts[seat] = 5 - self.played[seat].bit_count()
                self.allowed[seat] = _ALL & ~self._lacks(seat)
        if viewer == self.dealer:
            known |= mask_of(self.discards)
        else:
            self.counts[self.dealer] += self.took - len(self.discards)
            self.counts[_DISCARDED] = len(self.discards)
        if self.takers and self.takers[-1] != viewer:
            self.counts[_LAID] = 5
        self.counts[_BESIDE] = len(self.rest) - self.beside
        if viewer != self.dealer and not self.upcard & self.played[self.dealer]:
            known &= ~self.upcard
            homes = {self.dealer, _DISCARDED} if self.rules.discard_upcard else {self.dealer}
            for place in set(range(_PLACES)) - homes:
                self.allowed[place] &= ~self.upcard
        self.cards = cards_in(_ALL & ~known)
        assert len(self.cards) == sum(self.counts)

    def _lacks(self, seat: int) -> int:
        """The cards that a seat cannot hold, because it has not followed suit."""
        lacks = 0
        starts = [int(start) for start in self.t.starts if start != NONE]
        for begin, end in pairwise([*starts, len(self.plays)]):
            for player, card in self.plays[begin:end]:
                led = SUIT[self.t.trump, self.plays[begin][1]]
                if player == seat and SUIT[self.t.trump, card] != led:
                    lacks |= int(FOLLOW[self.t.trump, led])
        return lacks

    def dealt_again(self, rng: np.random.Generator) -> tuple[list[int], list[int]]:
        """The outcomes of chance of a deal, and the discards that the seat has not seen, in order; every way to put
        the unseen cards into their places is as likely as another."""
        held = self._draw(rng)
        t, seats = self.t, range(self.rules.seats)
        full = [held[seat] | self.played[seat] for seat in seats]
        full[self.viewer] |= int(t.hand[self.viewer])
        if self.follower != NONE:
            full[self.follower] = int(t.laid[self.viewer])
        hidden = rng.permutation(cards_in(held[_DISCARDED])).tolist()
        full[self.dealer] |= mask_of(hidden or self.discards) if self.discards else 0
        apart = self.rest[: self.beside]
        full[self.dealer] &= ~self.upcard
        if self.rules.making is Making.DEALER:
            if self.viewer != self.dealer:
                apart = rng.permutation(cards_in(full[self.dealer]))[:BUCK].tolist()
            full[self.dealer] &= ~mask_of(apart)
        if self.takers:
            apart = cards_in(full[self.takers[0]])
            for seat, follower in pairwise(self.takers):
                full[seat] = full[follower]
            last = self.takers[-1]
            full[last] = int(t.laid[last]) if last == self.viewer else held[_LAID]
        pack = [card for seat in seats for card in cards_in(full[seat])] + apart + cards_in(held[_BESIDE])
        drawn = [self.dealer] if self.rules.first_dealer == "random" else []
        return [*drawn, *pack[: self.position.dealt]], hidden

    def _draw(self, rng: np.random.Generator) -> list[int]:
        """The cards of each place, a mask: the unseen cards are shuffled until each may be where it is."""
        places = np.repeat(np.arange(_PLACES), self.counts)
        cards = np.array(self.cards, np.int64)
        may = np.array([[mask >> card & 1 for card in range(24)] for mask in self.allowed], np.bool_)
        while True:
            shuffled = rng.permuted(np.tile(cards, (_BATCH, 1)), axis=1)
            fits = np.flatnonzero(may[places, shuffled].all(axis=1))
            if len(fits):
                row = shuffled[fits[0]]
                return [mask_of(row[places == place].tolist()) for place in range(_PLACES)]
