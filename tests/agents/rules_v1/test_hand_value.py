"""What rules-v1 makes of five cards."""

from __future__ import annotations

from math import exp
from typing import Any

import numpy as np
import pytest

from agents.rules_v1.hand_value import CUTS, MAKER, NUM_FEATURES, STAYER, WEIGHTS, expected, strength_of
from agents.rules_v1.stakes import CAUTION, FAR, NUM_STAKES
from buck_env import load_rules
from buck_env.base.compiled import kernel
from buck_env.game.cards import NO_TRUMP, card_id, mask_of
from buck_env.game.table import make_tables

HEARTS = 2
RULES = load_rules("dirty-clubs")


@kernel
def _strength(tables: Any, packed: Any, seat: int, hand: int, trump: int, role: int, x: Any) -> float:
    return strength_of(tables[0], packed[0], seat, hand, trump, role, -1, x)


@kernel
def _expected(strength: float, role: int, trump: int, needs: int, packed: Any, stakes: Any) -> float:
    return expected(strength, role, trump, needs, packed[0], stakes)


def described(hand: str, trump: int = HEARTS, seat: int = 1) -> tuple[float, list[float]]:
    """The strength of a maker's hand, the dealer being seat 0, and the numbers that it is the sum of."""
    x = np.zeros(NUM_FEATURES)
    found = _strength(
        make_tables(1), RULES.packed(), seat, mask_of(card_id(card) for card in hand.split()), trump, MAKER, x
    )  # fmt: skip
    return found, x.tolist()


def test_a_hand_is_described_as_a_person_would() -> None:
    strength, x = described("JH JD 9H AC KS")
    expected_x = [1, 1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 0, 1]  # both bowers, one low trump, three; ace, king; one void
    assert x[:13] == expected_x
    assert (x[13], x[14]) == (1, 0)  # in these rules the maker leads
    assert strength == pytest.approx(float(WEIGHTS[MAKER] @ np.array(x)))


def test_a_guarded_king_and_no_trump() -> None:
    assert described("AC KC 9S 9D 9H")[1][9:12] == [1, 0, 1]
    _, x = described("AC KC QC JC 9S", NO_TRUMP)
    assert x[:9] == [0] * 9
    assert x[12] == 2  # the cards beyond two of the longest suit
    assert described("AC KC QC JC 9S", NO_TRUMP, seat=0)[1][13:15] == [1, 0]  # wherever it sits


def test_more_and_better_trumps_are_stronger() -> None:
    hands = ["9H 9C QC 9S QS", "QH 9C QC 9S QS", "AH 9C QC 9S QS", "JD 9C QC 9S QS", "JH 9C QC 9S QS", "JH AH QC 9S QS"]
    strengths = [described(hand)[0] for hand in hands]
    assert strengths == sorted(strengths)


def test_points_are_those_of_each_number_of_tricks_by_its_chance() -> None:
    stakes = np.zeros(NUM_STAKES)
    stakes[FAR], stakes[CAUTION] = 1000, 1
    strength = 5.0
    more = [1.0, *(1 / (1 + exp(cut - strength)) for cut in CUTS[MAKER]), 0.0]
    chances = [more[tricks] - more[tricks + 1] for tricks in range(6)]
    points = [-5, -5, -5, 3, 4, 5]
    by_hand = sum(chance * point for chance, point in zip(chances, points, strict=True))
    assert _expected(strength, MAKER, HEARTS, 3, RULES.packed(), stakes) == pytest.approx(by_hand)


def test_certain_hands_bring_all_or_the_penalty() -> None:
    stakes = np.zeros(NUM_STAKES)
    stakes[FAR], stakes[CAUTION] = 1000, 1
    assert _expected(99.0, STAYER, HEARTS, 1, RULES.packed(), stakes) == pytest.approx(5)
    assert _expected(-99.0, STAYER, HEARTS, 1, RULES.packed(), stakes) == pytest.approx(-5)


def test_a_contract_out_of_reach_costs_the_penalty_whatever_the_hand() -> None:
    stakes = np.zeros(NUM_STAKES)
    stakes[FAR], stakes[CAUTION] = 1000, 0.5
    for strength in (0.3, 4.1, 9.7):
        assert _expected(strength, MAKER, HEARTS, 6, RULES.packed(), stakes) == -2.5
