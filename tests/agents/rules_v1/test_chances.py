"""Odds that a card survives, counted by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.rules_v1.chances import MISS, shown_voids, survives
from buck_env.base.compiled import kernel
from buck_env.game.cards import NO_TRUMP, card_id, mask_of
from buck_env.game.table import NONE, SEAT_SHIFT, make_tables

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)


@kernel
def _survives(trump: int, led: int, card: int, n: int, hidden: int, unseen: int, seats: int, voids: int) -> float:
    return survives(trump, led, card, n, hidden, unseen, seats, voids)


@kernel
def _voids(tables: Any) -> int:
    return shown_voids(tables[0])


def chance(
    card: str, hidden: str, *, n: int, unseen: int, seats: int = 0b10, trump: int = HEARTS, voids: int = 0
) -> Any:
    """Of a card that leads diamonds, where these cards are out."""
    mask = mask_of(card_id(one) for one in hidden.split())
    return _survives(trump, DIAMONDS, card_id(card), n, mask, unseen, seats, voids)


def test_the_chance_to_miss_is_that_of_an_urn() -> None:
    assert MISS[1, 4, 1] == pytest.approx(3 / 4)
    assert MISS[2, 4, 2] == pytest.approx(1 / 6)
    assert MISS[5, 5, 1] == 0
    assert MISS[3, 2, 0] == 0, "there are not so many cards"


@pytest.mark.parametrize(
    ("hidden", "n", "unseen", "expected"),
    [
        ("", 3, 6, 1),  # nothing beats it
        ("AD 9C 9S QS", 0, 4, 1),  # nobody has cards
        ("AD 9C 9S QS", 1, 4, 3 / 4),  # one card of four is the ace
        ("9H 9C 9S QS", 1, 4, 3 / 4),  # one of four is a trump, and no diamond has to be followed
        ("AD 9H 9C 9S", 1, 4, 2 / 4),  # the ace or the trump
        ("9D 9H 9C 9S", 2, 4, 4 / 6),  # of six hands two ruff: 9H with 9C, and 9H with 9S; 9H with 9D follows
    ],
)
def test_a_king_led_survives_as_often_as_a_person_counts(hidden: str, n: int, unseen: int, expected: float) -> None:
    assert chance("KD", hidden, n=n, unseen=unseen) == pytest.approx(expected)


def test_seats_are_multiplied_and_voids_are_believed() -> None:
    assert chance("KD", "AD 9C 9S QS", n=1, unseen=4, seats=0b1010) == pytest.approx(9 / 16)
    void_in_trump = 1 << (4 * 1 + HEARTS)
    void_in_led = 1 << (4 * 1 + DIAMONDS)
    assert chance("KD", "9H 9C 9S QS", n=1, unseen=4, voids=void_in_trump) == 1
    assert chance("KD", "AD 9C 9S QS", n=1, unseen=4, voids=void_in_led) == 1
    assert chance("KD", "9H 9C 9S QS", n=1, unseen=4, trump=NO_TRUMP) == 1


def test_who_does_not_follow_is_void_and_the_left_bower_is_a_trump() -> None:
    table = make_tables(1)
    plays = [(0, "9D"), (1, "AC"), (2, "JD"), (3, "AD"), (3, "9H"), (0, "AH")]
    table["trump"] = HEARTS
    table["plays"] = NONE
    table["plays"][0, : len(plays)] = [(seat << SEAT_SHIFT) + card_id(card) for seat, card in plays]
    table["played"] = len(plays)
    table["starts"][0] = [0, 4, 6, NONE, NONE, NONE]
    shown = {(seat, suit) for seat in range(4) for suit in range(4) if _voids(table) >> (4 * seat + suit) & 1}
    assert shown == {(1, DIAMONDS), (2, DIAMONDS)}
    assert np.array_equal(table["plays"][0, 6:], np.full(14, NONE))
