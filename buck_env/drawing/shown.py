"""`Shown`: the table as one viewer may know it, in plain values.

The text and the picture draw this and nothing else, so neither can show more than `hide` leaves.
"""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from buck_env.base.errors import BuckError
from buck_env.game.cards import NO_TRUMP, STRENGTH, SUIT, cards_in
from buck_env.game.facts import exchange_place, upcard_taken
from buck_env.game.hidden import hide
from buck_env.game.rules import Rules
from buck_env.game.table import CARD, HIDDEN, IN_AUCTION, IN_CALL, IN_ORDER, NONE, SEAT_SHIFT, Phase

__all__ = ["TRUMP_WORDS", "Group", "PlayedCard", "Shown", "Trick"]

TRUMP_WORDS = ("clubs", "diamonds", "hearts", "spades", "no-trump")


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


class Group(NamedTuple):
    """Cards that lie beside the hands; `gone` where a hand has since taken them up."""

    name: str
    cards: list[int]
    gone: bool = False


class Shown:
    """A table, shape (1,), as a viewer sees it, or open; HIDDEN stands for a card that is there but not known."""

    def __init__(self, table: np.ndarray, rules: Rules, viewer: int | None = None) -> None:
        if table.shape != (1,):
            raise BuckError(f"table: one table, an array of shape (1,), is needed, not shape {table.shape}")
        if viewer is not None and not 0 <= viewer < rules.seats:
            raise BuckError(f"viewer: {viewer!r} is no seat; allowed: 0 to {rules.seats - 1}, or None for all open")
        self.rules = rules
        self.viewer = viewer
        self.table = table if viewer is None else hide(table, np.array([viewer]), rules)
        t = self.table[0]
        self.phase = Phase(int(t.phase))
        self.seat, self.dealer, self.maker = int(t.seat), int(t.dealer), int(t.maker)
        self.trump, self.contract, self.trick = int(t.trump), int(t.contract), int(t.trick)
        seats = rules.seats
        self.scores: list[int] = t.scores[:seats].tolist()
        self.tricks_taken: list[int] = t.tricks[:seats].tolist()
        self.deltas: list[int] = t.deltas[:seats].tolist()
        self.passed: list[int] = t.passed.tolist()
        self.discards = [card for card in t.discards.tolist() if card != NONE]
        self.rest = [card for card in t.rest.tolist() if card != NONE]
        self.stayed, self.dropped, self.reneged = int(t.stayed), int(t.dropped), int(t.reneged)
        self.winners = [seat for seat in range(seats) if int(t.winners) >> seat & 1]

    # --- Cards ---

    @cached_property
    def took_upcard(self) -> bool:
        """Whether the dealer has taken the upcard."""
        return bool(upcard_taken(self.table[0], self.rules.packed()[0]))

    @cached_property
    def hands(self) -> list[list[int]]:
        """The cards each seat holds, lowest first, those not known last."""
        return [self._hand(seat) for seat in range(self.rules.seats)]

    def _hand(self, seat: int) -> list[int]:
        held = 5 - sum(play.seat == seat for trick in self.tricks for play in trick.plays)
        if seat == self.dealer:
            held += (4 if self.rules.making == "dealer" else self.took_upcard) - len(self.discards)
        return _with_hidden(self.table[0].hand[seat], held)

    @cached_property
    def tricks(self) -> list[Trick]:
        """The tricks begun, each with at least one card."""
        t = self.table[0]
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

    @cached_property
    def beside(self) -> list[Group]:
        """What lies beside the hands, in groups with a name."""
        rules, rest = self.rules, self.rest
        if rules.making == "order":
            upcard = "upcard taken up" if self.took_upcard else "upcard"
            if self.passed[IN_ORDER] >> self.dealer & 1:
                upcard = "upcard turned down"
            groups = [Group(upcard, rest[:1], self.took_upcard), Group("unused", rest[1:])]
        elif rules.making == "dealer":
            groups = [Group("buck taken up", rest[:4], True), Group("unused", rest[4:])]
        elif rules.turn_up:
            groups = [Group("turned", rest[:1]), Group("blind", rest[1:])]
        elif rules.exchange != "none":
            laid = self._laid()
            groups = [Group("widow taken up" if laid else "widow", rest[:5], bool(laid)), *laid]
            groups.append(Group("unused", rest[5:]))
        else:
            groups = [Group("unused", rest)]
        groups.append(Group("discards" if rules.making == "dealer" else "discard", self.discards))
        return [group for group in groups if group.cards]

    def _laid(self) -> list[Group]:
        """The hands laid down in an exchange; each taker but the first took the one before."""
        t = self.table[0]
        takers = [seat for seat in self._exchange_order if t.exchanged >> seat & 1]
        return [Group(f"laid down by {seat}", _with_hidden(t.laid[seat], 5), seat != takers[-1]) for seat in takers]

    # --- Words ---

    @cached_property
    def _exchange_order(self) -> list[int]:
        t, packed = self.table[0], self.rules.packed()[0]
        return sorted(range(self.rules.seats), key=lambda seat: exchange_place(t, packed, seat))

    def _from(self, seat: int) -> list[int]:
        """All seats clockwise from one."""
        return [(seat + steps) % self.rules.seats for steps in range(self.rules.seats)]

    @cached_property
    def title(self) -> str:
        """Which game it is, and how far."""
        rules, t = self.rules, self.table[0]
        number = int(t.hands_played) + (not self.scored)
        of = f" of {rules.hands}" if rules.hands else ""
        house = ", house rules" if rules.differences() else ""
        return f"{rules.base}{house} · hand {number}{of} · {self.aim}"

    @property
    def aim(self) -> str:
        """Where the scores run; a match of so many hands may ignore the target."""
        rules = self.rules
        way = "up" if rules.toward > 0 else "down"
        return f"{rules.start} {way}" + (f" to {rules.target}" if not rules.hands or rules.target_in_hands else "")

    @property
    def redeal(self) -> bool:
        """Whether the hand ended with nobody making trump."""
        return self.phase is Phase.OVER and self.trump == NONE

    @cached_property
    def prompt(self) -> str:
        """What the seat to act decides, or how the hand ended."""
        if self.phase is Phase.OVER:
            if self.redeal:
                return "redeal: nobody made trump"
            won = [str(seat) for seat in self.winners]
            if len(won) > 1:
                return f"match shared by seats {', '.join(won[:-1])} and {won[-1]}"
            return f"match won by seat {won[0]}" if won else "hand over"
        leads = self.phase is Phase.PLAY and (not self.tricks or self.tricks[-1].over)
        decides = {
            Phase.EXCHANGE: "exchange or keep",
            Phase.ORDER: "order or pass",
            Phase.CALL: "name trump or pass",
            Phase.BID: "bid or pass",
            Phase.DISCARD: "discard" + (f" {len(self.discards) + 1} of 4" if self.rules.making == "dealer" else ""),
            Phase.NAME: "name trump",
            Phase.STAY: "stay or drop",
            Phase.PLAY: f"lead to trick {self.trick + 1}" if leads else "play",
        }
        return f"seat {self.seat} to {decides[self.phase]}"

    @property
    def making(self) -> str:
        """Who made trump and undertakes what, or how far that is."""
        if self.maker != NONE:
            return f"seat {self.maker} {'bids' if self.trump == NONE else 'needs'} {self.contract}"
        if self.trump == NONE:
            return "nobody made it" if self.redeal else "not made yet"
        if self.rules.making == "dealer":
            return "named by the dealer"
        return "all passed, no maker" if self.trump == NO_TRUMP else "club turned, no maker"

    @property
    def scored(self) -> bool:
        """Whether the hand is over and counted."""
        return self.phase is Phase.OVER and not self.redeal

    def change(self, seat: int) -> str:
        """What the hand changed in a seat's score."""
        return f"{self.deltas[seat]:+d}" if self.deltas[seat] else "0"

    def out(self, seat: int) -> bool:
        """Whether a seat plays no more: it dropped or reneged."""
        return bool((self.dropped | self.reneged) >> seat & 1)

    def part(self, seat: int) -> str:
        """A seat's part in the hand, in one or two words."""
        t = self.table[0]
        if self.phase is Phase.EXCHANGE:
            return "exchanged" if t.exchanged >> seat & 1 else "kept" if t.kept >> seat & 1 else ""
        if seat == self.maker and self.trump == NONE:
            return f"bid {self.contract}"
        for seats, word in (
            (self.reneged, "reneged"),
            (self.dropped, "dropped"),
            (1 << self.maker if self.maker != NONE else 0, "maker"),
            (self.stayed, "stayed"),
        ):
            if seats >> seat & 1:
                return word
        place = {Phase.ORDER: IN_ORDER, Phase.CALL: IN_CALL, Phase.BID: IN_AUCTION}.get(self.phase)
        return "passed" if place is not None and self.passed[place] >> seat & 1 else ""

    @cached_property
    def history(self) -> list[tuple[str, list[str]]]:
        """What was decided before the play: each round's name, and ``seat action`` in order.

        Where an auction goes round more than once, the passes before the last bid are not part of the table.
        """
        t = self.table[0]
        takers, keepers = int(t.exchanged), int(t.kept)
        exchange = _said(self._exchange_order, (takers, "exchange"), (keepers, "keep"))
        around = self._from(self.dealer + 1)
        order, call = (_said(around, (self.passed[place], "pass")) for place in (IN_ORDER, IN_CALL))
        name: list[str] = []
        if self.trump != NONE and (self.maker != NONE or self.rules.making == "dealer"):
            named = f"name {TRUMP_WORDS[self.trump]}"
            if self.rules.making != "order":
                name = [f"{self.dealer if self.maker == NONE else self.maker} {named}"]
            elif self.passed[IN_ORDER] >> self.dealer & 1:
                call.append(f"{self.maker} {named}")
            else:
                order.append(f"{self.maker} order")
        asked = self._from((self.maker if self.rules.stay_from == "maker" else self.dealer) + 1)
        stay = _said(asked, (self.stayed, "stay"), (self.dropped, "drop"))
        rounds = [("exchange", exchange), ("order", order), ("call", call), ("bid", self._auction()), ("name", name)]
        return [(word, said) for word, said in [*rounds, ("stay", stay)] if said]

    def _auction(self) -> list[str]:
        """The bids in order, and the passes among them, or since the last where it goes round more than once."""
        passed = self.passed[IN_AUCTION]
        bidders = enumerate(self.table[0].bidders.tolist(), 1)
        bids = [(seat, f"bid {tricks}") for tricks, seat in bidders if seat != NONE]
        if self.rules.bid_circuits == "one":
            return _said(self._from(self.dealer + 1), *((1 << seat, bid) for seat, bid in bids), (passed, "pass"))
        last = self.maker if bids else self.dealer
        return [f"{seat} {bid}" for seat, bid in bids] + _said(self._from(last + 1), (passed, "pass"))


def _said(seats: list[int], *sayings: tuple[int, str]) -> list[str]:
    """What seats said, in their order: each saying with the set of seats that said it."""
    return [f"{seat} {saying}" for seat in seats for sayers, saying in sayings if sayers >> seat & 1]


def _with_hidden(mask: int, held: int) -> list[int]:
    """The cards of a mask, and HIDDEN for every other card held."""
    known = cards_in(mask)
    return known + [HIDDEN] * (held - len(known))
