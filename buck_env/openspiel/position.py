"""One hand as OpenSpiel walks it: the dealer is drawn and the cards are dealt one by one, then seats decide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from buck_env.game import engine
from buck_env.game.actions import ACTIONS
from buck_env.game.cards import CARDS
from buck_env.game.facts import previous_taker, shown_beside
from buck_env.game.options import Exchange, Phase
from buck_env.game.rules import Rules
from buck_env.game.shuffle import draw_dealer, shuffle
from buck_env.game.table import NONE
from buck_env.records.deals import deal_table

__all__ = ["TRICKS", "Cut", "Position"]

TRICKS = 5


class Cut(NamedTuple):
    """How a game is made small enough to be solved."""

    deals: int = 0
    """So many deals of the seed are all that there are, each as likely as another; 0: all deals."""
    seed: int = 0
    """The seed of those deals; deal k is the k-th of an environment's with this seed."""
    tricks: int = TRICKS
    """The last tricks in which seats choose their cards; in those before, each plays the lowest legal one."""


class Position:
    """Where a hand is: what chance has dealt so far, then the table."""

    def __init__(self, rules: Rules, cut: Cut) -> None:
        self.rules, self.cut = rules, cut
        self.dealer = NONE if rules.first_dealer == "random" else int(rules.first_dealer)
        self.pack: list[int] = []
        self.table: np.ndarray | None = None
        self.steps: list[tuple[int, int, int]] = []
        """Seat, phase and action of each decision, those that a cut game takes by itself too."""

    def __deepcopy__(self, memo: Any) -> Position:
        copy = Position.__new__(Position)
        copy.rules, copy.cut, copy.dealer = self.rules, self.cut, self.dealer
        copy.pack, copy.steps = self.pack.copy(), self.steps.copy()
        copy.table = None if self.table is None else self.table.take([0])
        return copy

    # --- Chance ---

    def outcomes(self) -> range | list[int]:
        """What chance may do next, each as likely as another: draw a deal or a dealer, or deal a card."""
        if self.cut.deals:
            return range(self.cut.deals)
        if self.dealer == NONE:
            return range(self.rules.seats)
        dealt = set(self.pack)
        return [card for card in range(24) if card not in dealt]

    def outcome_text(self, outcome: int) -> str:
        """An outcome of chance in words."""
        if self.cut.deals:
            return f"deal {outcome}"
        return f"dealer {outcome}" if self.dealer == NONE else CARDS[outcome]

    def draw(self, outcome: int) -> None:
        """Take an outcome; once all is dealt that anybody may see in this hand, the hand begins."""
        if self.cut.deals:
            pack = np.empty(24, np.int8)
            shuffle(self.cut.seed, outcome, pack)
            self.dealer = int(draw_dealer(self.cut.seed, outcome, self.rules.seats))
            self._begin(pack.tolist())
        elif self.dealer == NONE:
            self.dealer = outcome
        else:
            self.pack.append(outcome)
            if len(self.pack) == self.dealt:
                self._begin(self.pack + self.outcomes())  # type: ignore[operator]  # nobody sees the others' order

    @property
    def dealt(self) -> int:
        """How many cards chance deals: the hands, and those beside them that somebody may see."""
        exchanged = self.rules.exchange is not Exchange.NONE
        return 5 * self.rules.seats + int(shown_beside(self.rules.packed()[0], True, exchanged))

    def _begin(self, pack: Sequence[int]) -> None:
        self.pack = list(pack)
        scores = [self.rules.start] * self.rules.seats
        self.table = deal_table(self.rules, np.array(pack, np.int8), self.dealer, scores)

    # --- Decisions ---

    @property
    def over(self) -> bool:
        """Whether the hand has been scored, or dealt in vain."""
        return self.table is not None and self.table["phase"][0] == Phase.OVER

    @property
    def seat(self) -> int:
        """The seat to act; NONE where the hand is over."""
        assert self.table is not None
        return int(self.table["seat"][0])

    def legal(self) -> list[int]:
        """The legal actions of the seat to act, in ascending order."""
        assert self.table is not None
        mask = int(engine.legal(self.table[0], self.rules.packed()[0]))
        return [action for action in range(len(ACTIONS)) if mask >> action & 1]

    def take(self, action: int) -> None:
        """Take a legal action, and those that a cut game takes by itself."""
        assert self.table is not None
        t, packed = self.table[0], self.rules.packed()[0]
        self.steps.append((int(t.seat), int(t.phase), action))
        engine.apply(t, packed, action)
        if t.phase == Phase.PLAY and t.trick < TRICKS - self.cut.tricks:
            self.take(self.legal()[0])

    def points(self) -> list[float]:
        """The points toward the target that the hand brought, by seat; 0 while it goes on."""
        if self.table is None or not self.over:
            return [0.0] * self.rules.seats
        return (self.rules.toward * self.table["deltas"][0, : self.rules.seats]).astype(float).tolist()

    def seen(self, seat: int) -> str:
        """All that a seat knows of the hand, as text: the cards it has been shown, and every decision but discards."""
        if self.table is None:
            return f"seat {seat}: the deal"
        t, packed = self.table[0], self.rules.packed()[0]
        took = bool(int(t.exchanged) >> seat & 1)
        before = int(previous_taker(t, packed, seat)) if took else NONE
        rest = 5 * self.rules.seats
        shown = int(shown_beside(packed, seat == self.dealer, took and before == NONE))
        parts = [
            f"seat {seat}, dealer {self.dealer}",
            f"dealt {_cards(self.pack[5 * seat : 5 * seat + 5])}",
            f"beside {_cards(self.pack[rest : rest + shown])}",
        ]
        if before != NONE:
            parts.append(f"took {_cards(self.pack[5 * before : 5 * before + 5])}")
        return "; ".join([*parts, *(_step(step, seat) for step in self.steps)])

    def text(self) -> str:
        """All that has happened, open."""
        hands = 5 * self.rules.seats
        dealt = [_cards(self.pack[start : start + 5]) for start in range(0, min(hands, len(self.pack)), 5)]
        parts = ["no dealer" if self.dealer == NONE else f"dealer {self.dealer}", *dealt, _cards(self.pack[hands:])]
        return "; ".join([*parts, *(_step(step, step[0]) for step in self.steps)])


def _cards(cards: Sequence[int]) -> str:
    return " ".join(CARDS[card] for card in sorted(cards)) or "nothing"


def _step(step: tuple[int, int, int], viewer: int) -> str:
    seat, phase, action = step
    if phase == Phase.DISCARD:
        return f"{seat} discards {ACTIONS[action] if seat == viewer else '?'}"
    return f"{seat} {ACTIONS[action]}"
