"""`Shown`: the table as one viewer may know it, in plain values.

The text, the picture and the pages draw this and nothing else, so none can show more than `hide` leaves.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from buck_env.base.errors import BuckError
from buck_env.game.cards import STRENGTH, SUIT, cards_in
from buck_env.game.facts import dealer_took, exchange_place, stay_begins, turned_down, upcard_taken
from buck_env.game.hidden import hide
from buck_env.game.options import Phase
from buck_env.game.rules import Rules
from buck_env.game.table import CARD, HIDDEN, NONE, SEAT_SHIFT

__all__ = ["PlayedCard", "Shown", "Trick"]


class PlayedCard(NamedTuple):
    """A card that a seat has played; one that reneged can neither win nor be led from."""

    seat: int
    card: int
    reneged: bool


class Trick(NamedTuple):
    """The cards of a trick in order, the seat whose card is the highest so far, and whether it is over."""

    plays: list[PlayedCard]
    ahead: int
    over: bool


class Shown:
    """A table, shape (1,), as a viewer sees it, or open; HIDDEN stands for a card that is there but not known."""

    def __init__(self, table: np.ndarray, rules: Rules, viewer: int | None = None) -> None:
        if table.shape != (1,):
            raise BuckError(f"table: one table, an array of shape (1,), is needed, not shape {table.shape}")
        if viewer is not None and not 0 <= viewer < rules.seats:
            raise BuckError(f"viewer: {viewer!r} is no seat; allowed: 0 to {rules.seats - 1}, or None for all open")
        self.rules = rules
        self.viewer = viewer
        seen = table if viewer is None else hide(table, np.array([viewer]), rules)
        packed = rules.packed()[0]
        self.table = t = seen[0]
        self.phase = Phase(int(t.phase))
        self.seat, self.dealer, self.maker = int(t.seat), int(t.dealer), int(t.maker)
        self.trump, self.contract, self.trick = int(t.trump), int(t.contract), int(t.trick)
        seats = rules.seats
        self.took = int(dealer_took(t, packed))
        """How many cards the dealer has taken up."""
        self.upcard_taken, self.turned_down = bool(upcard_taken(t, packed)), bool(turned_down(t))
        self.exchange_order = sorted(range(seats), key=lambda seat: exchange_place(t, packed, seat))
        self.stay_order = self.clockwise(int(stay_begins(t, packed)))
        self.scores: list[int] = t.scores[:seats].tolist()
        self.tricks_taken: list[int] = t.tricks[:seats].tolist()
        self.deltas: list[int] = t.deltas[:seats].tolist()
        self.passed: list[int] = t.passed.tolist()
        self.discards = [card for card in t.discards.tolist() if card != NONE]
        self.rest = [card for card in t.rest.tolist() if card != NONE]
        self.exchanged, self.kept = int(t.exchanged), int(t.kept)
        self.stayed, self.dropped, self.reneged = int(t.stayed), int(t.dropped), int(t.reneged)
        self.winners = [seat for seat in range(seats) if int(t.winners) >> seat & 1]

    def clockwise(self, seat: int) -> list[int]:
        """All seats clockwise from one."""
        return [(seat + steps) % self.rules.seats for steps in range(self.rules.seats)]

    @property
    def redeal(self) -> bool:
        """Whether the hand ended with nobody making trump."""
        return self.phase is Phase.OVER and self.trump == NONE

    @property
    def scored(self) -> bool:
        """Whether the hand is over and counted."""
        return self.phase is Phase.OVER and not self.redeal

    def out(self, seat: int) -> bool:
        """Whether a seat plays no more: it dropped or reneged."""
        return bool((self.dropped | self.reneged) >> seat & 1)

    @cached_property
    def hands(self) -> list[list[int]]:
        """The cards each seat holds, lowest first, those not known last."""
        return [self._hand(seat) for seat in range(self.rules.seats)]

    def _hand(self, seat: int) -> list[int]:
        held = 5 - sum(play.seat == seat for trick in self.tricks for play in trick.plays)
        if seat == self.dealer:
            held += self.took - len(self.discards)
        return _with_hidden(self.table.hand[seat], held)

    def laid(self, seat: int) -> list[int]:
        """The hand that a seat laid down in an exchange."""
        return _with_hidden(self.table.laid[seat], 5)

    @cached_property
    def tricks(self) -> list[Trick]:
        """The tricks begun, each with at least one card."""
        t = self.table
        codes = t.plays[: t.played].tolist()
        last = {code >> SEAT_SHIFT: place for place, code in enumerate(codes)}  # who reneges plays no more
        plays = []
        for place, code in enumerate(codes):
            seat = code >> SEAT_SHIFT
            plays.append(PlayedCard(seat, code & CARD, bool(self.reneged >> seat & 1) and last[seat] == place))
        cuts = [*(start for start in t.starts.tolist() if start != NONE), len(plays)]
        return [self._trick(plays[a:b], number) for number, (a, b) in enumerate(pairwise(cuts)) if a < b]

    def _trick(self, plays: list[PlayedCard], number: int) -> Trick:
        strength = STRENGTH[self.trump, SUIT[self.trump, plays[0].card]]
        ahead = max((play for play in plays if not play.reneged), key=lambda play: int(strength[play.card]))
        return Trick(plays, ahead.seat, number < self.trick)


def _with_hidden(mask: int, held: int) -> list[int]:
    """The cards of a mask, and HIDDEN for every other card held."""
    known = cards_in(mask)
    return known + [HIDDEN] * (held - len(known))
