"""Hands worked by hand: how they are written, dealt and acted out, on either engine."""

from __future__ import annotations

from typing import Any

import oracle
from oracle import PACK
from rule_book import WorkedScore

from buck_env import Rules, action_id, load_rules
from buck_env.game import engine
from buck_env.game.cards import CARDS, TRUMPS, cards_in
from buck_env.game.scoring import points
from buck_env.game.table import NONE, make_tables
from buck_env.records import legal_texts, result_of
from buck_env.records.deals import deal_table, pack_of
from buck_env.records.texts import phase_text

# Four seats, hearts trump, all stay, seat 0 leads: 2, 2, 1 and 0 tricks. It begins with source 000's trick.
FOUR = ["KH QS TS AC AD", "JD AS 9S KC TC", "AH JS KS 9C 9D", "TH QC JC KD QD"]
FOUR_PLAY = "0:KH 1:JD 2:AH 3:TH  1:AS 2:JS 3:KD 0:QS  1:9S 2:KS 3:QD 0:TS  2:9C 3:QC 0:AC 1:KC  0:AD 1:TC 2:9D 3:JC"
# And one where every seat holds one suit: seat 2 takes all five tricks in hearts.
SUITS = ["AC KC QC JC TC", "AD KD QD JD TD", "AH KH QH JH TH", "AS KS QS JS TS"]
# Three deals for three seats, hearts trump, seat 0 making and leading: it takes 4, 3 and 2 tricks.
TAKES_4 = ["AH KH QH AC 9D", "AD KD TC 9S TS", "QD TD QC JS QS"]
TAKES_4_PLAY = "0:AH 1:9S 2:JS  0:KH 1:TS 2:QS  0:QH 1:TC 2:QC  0:AC 1:KD 2:TD  0:9D 1:AD 2:QD"
TAKES_3 = ["AH KH QH TD 9D", "AD KD TC 9S TS", "QD QC AC JS QS"]
TAKES_3_PLAY = "0:AH 1:9S 2:JS  0:KH 1:TS 2:QS  0:QH 1:TC 2:QC  0:9D 1:KD 2:QD  1:AD 2:AC 0:TD"
TAKES_2 = ["AH KH 9D TD 9C", "AD KD TC 9S TS", "AC QD QC JS QS"]
TAKES_2_PLAY = "0:AH 1:9S 2:JS  0:KH 1:TS 2:QS  0:9D 1:KD 2:QD  1:AD 2:QC 0:TD  1:TC 2:AC 0:9C"

# Hearts trump. Seat 1 holds the right bower and a club beside it.
BOWER = ["AH KH QH AC 9D", "JH AD TC 9S TS", "QD TD QC JS QS"]


class Table:
    """The engine, asked as the model engine `oracle.Hand` is."""

    def __init__(
        self,
        rules: Rules,
        hands: list[list[str]],
        rest: list[str],
        dealer: int,
        scores: list[int],
        hands_played: int = 0,
    ) -> None:
        self._rules, self._packed = rules, rules.packed()[0]
        self._table = deal_table(rules, pack_of(rules, hands, rest), dealer, scores, hands_played)

    @property
    def record(self) -> Any:
        """The record of the table, as kernels take it."""
        return self._table[0]

    @property
    def packed(self) -> Any:
        """The record of the rules, as kernels take it."""
        return self._packed

    @property
    def phase(self) -> str | None:
        text = phase_text(self._table)
        return None if text == "over" else text

    @property
    def seat(self) -> int | None:
        return None if self.record.seat == NONE else int(self.record.seat)

    @property
    def trump(self) -> str | None:
        return None if self.record.trump == NONE else TRUMPS[self.record.trump]

    @property
    def maker(self) -> int | None:
        return None if self.record.maker == NONE else int(self.record.maker)

    @property
    def hands(self) -> list[list[str]]:
        return [[CARDS[card] for card in cards_in(self.record.hand[seat])] for seat in range(self._rules.seats)]

    def legal(self) -> list[str]:
        return legal_texts(self._table, self._rules)

    def act(self, text: str) -> None:
        if self.phase is None:
            raise ValueError(f"{text!r}: the hand is over")
        try:
            action = action_id(text)
        except ValueError:
            action = 63
        if not int(engine.permitted(self.record, self._packed)) >> action & 1:
            raise ValueError(f"{text!r} is not legal")
        engine.apply(self.record, self._packed, action)

    def result(self) -> Any:
        if self.phase is not None:
            raise ValueError("the hand is not over")
        return result_of(self._table, self._rules)


ENGINES: dict[str, Any] = {"model": oracle.Hand, "engine": Table}
chosen: list[str] = ["model"]
"""The engine that `deal` deals to; the fixture `both_engines` sets it."""


def house(base: str, **different: Any) -> Rules:
    """A profile, and what differs."""
    return load_rules({"base": base, **different})


def deal(
    rules: Rules, hands: list[str], top: str, dealer: int, scores: list[int] | None = None, hands_played: int = 0
) -> Any:
    """A hand with these cards; the rest of the pack begins with the cards of `top`."""
    held = [hand.split() for hand in hands]
    first = top.split()
    seen = {card.replace("10", "T") for card in sum(held, first)}
    others = [card for card in PACK if card not in seen]
    return ENGINES[chosen[0]](rules, held, first + others, dealer, scores or [rules.start] * rules.seats, hands_played)


def run(hand: Any, script: str) -> Any:
    """Act out ``"0:order 3:discard:9H"``: each time the seat is the one to act."""
    for word in script.split():
        seat, _, action = word.partition(":")
        assert hand.seat == int(seat), f"{word}: seat {hand.seat} acts, in {hand.phase}"
        hand.act(action)
    return hand


def play(hand: Any, script: str) -> Any:
    """Act out the play ``"0:KH 1:JD"``."""
    assert hand.phase == "play"
    return run(hand, script.replace(":", ":play:"))


def points_of(row: WorkedScore) -> list[int]:
    """The points of a hand that ended so, by seat, from the engine that `deal` deals to."""
    return {"model": _points_of_model, "engine": _points_of_engine}[chosen[0]](row)


def _points_of_model(row: WorkedScore) -> list[int]:
    rules = row.rules
    cut = 5 * rules.seats
    hands = [PACK[at : at + 5] for at in range(0, cut, 5)]
    hand = oracle.Hand(rules, hands, PACK[cut:], 0, [rules.start] * rules.seats)
    hand.maker, hand.bid = row.maker, row.needs
    hand.stayed = [text != "D" for text in row.tricks]
    hand.reneged = [text == "R" for text in row.tricks]
    hand.tricks = [int(text) if text.isdigit() else 0 for text in row.tricks]
    hand.walkover = sum(hand.stayed) == 1
    return [hand.points(seat) for seat in range(rules.seats)]


def _points_of_engine(row: WorkedScore) -> list[int]:
    table = make_tables(1)[0]
    table.maker, table.contract = NONE if row.maker is None else row.maker, row.needs
    for seat, text in enumerate(row.tricks):
        table.tricks[seat] = int(text) if text.isdigit() else 0
        table.dropped |= (text == "D") << seat
        table.reneged |= (text == "R") << seat
    return [int(points(table, row.rules.packed()[0], seat)) for seat in range(row.rules.seats)]
