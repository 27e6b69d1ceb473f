"""A deal in record notation, checked and dealt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from buck_env.base.checks import is_whole
from buck_env.base.errors import RecordError
from buck_env.game import engine
from buck_env.game.cards import CARDS, card_id
from buck_env.game.rules import Rules
from buck_env.game.table import make_tables
from buck_env.records.schema import HandRecord

__all__ = ["check_place", "deal_table", "pack_of", "record_table"]


def pack_of(rules: Rules, hands: Sequence[Sequence[str]], rest: Sequence[str], where: str = "deal") -> np.ndarray:
    """The pack, shape (24,) int8, that deals these hands; RecordError names what is missing, twice, or no card."""
    if not _is_list(hands) or len(hands) != rules.seats:
        raise RecordError(f"{where}: hands: {rules.base} seats {rules.seats}, not {_length(hands)}")
    for seat, hand in enumerate(hands):
        if not _is_list(hand) or len(hand) != 5:
            raise RecordError(f"{where}: hands: seat {seat} needs 5 cards, not {_length(hand)}")
    pack: list[int] = []
    _deal_in(pack, [text for hand in hands for text in hand], where)
    if not _is_list(rest) or len(rest) != 24 - 5 * rules.seats:
        raise RecordError(f"{where}: rest: needs {24 - 5 * rules.seats} cards, not {_length(rest)}")
    _deal_in(pack, rest, where)
    return np.array(pack, np.int8)


def _deal_in(pack: list[int], cards: Sequence[str], where: str) -> None:
    for text in cards:
        try:
            card = card_id(text)
        except ValueError as error:
            raise RecordError(f"{where}: {error}") from None
        if card in pack:
            raise RecordError(f"{where}: {CARDS[card]} is dealt twice")
        pack.append(card)


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _length(value: object) -> str:
    return str(len(value)) if isinstance(value, Sequence) and _is_list(value) else repr(value)


def check_place(rules: Rules, dealer: object, scores: object, where: str = "deal") -> tuple[int, list[int]]:
    """The dealer and the scores of a deal, checked against the number of seats."""
    if not is_whole(dealer) or not 0 <= dealer < rules.seats:
        raise RecordError(f"{where}: dealer: {dealer!r} is no seat; allowed: 0 to {rules.seats - 1}")
    if not _is_list(scores) or len(scores) != rules.seats or not all(is_whole(s) for s in scores):  # type: ignore[arg-type, attr-defined]
        raise RecordError(f"{where}: scores: {scores!r} is not a whole number for each of {rules.seats} seats")
    if any(abs(score) > 10**9 for score in scores):  # type: ignore[attr-defined]
        raise RecordError(f"{where}: scores: {scores!r} leaves -1000000000 to 1000000000")
    return int(dealer), [int(score) for score in scores]  # type: ignore[attr-defined]


def record_table(record: HandRecord, rules: Rules, hands_played: int, where: str) -> np.ndarray:
    """The table, shape (1,), that a record deals, its cards and its place checked."""
    dealer, scores = check_place(rules, record["dealer"], record["scores"], where)
    pack = pack_of(rules, record["hands"], record["rest"], where)  # type: ignore[arg-type]
    return deal_table(rules, pack, dealer, scores, hands_played)


def deal_table(rules: Rules, pack: np.ndarray, dealer: int, scores: Sequence[int], hands_played: int = 0) -> np.ndarray:
    """One table, shape (1,), with a pack dealt."""
    table = make_tables(1)
    table["scores"][0, : rules.seats] = scores[: rules.seats]
    table["hands_played"] = hands_played
    engine.deal(table[0], rules.packed()[0], pack, dealer)
    return table
