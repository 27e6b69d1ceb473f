"""Discards, and naming trump, on both engines."""

from __future__ import annotations

import pytest
from worked import FOUR, FOUR_PLAY, deal, house, play, run

from buck_env import PROFILES

pytestmark = pytest.mark.usefixtures("both_engines")


AFTER_STAY = house("ohio", discard="after_stay")


def test_the_dealer_may_discard_after_the_stay_round() -> None:
    """RULES §7.2."""
    hand = run(deal(AFTER_STAY, FOUR, "9H", dealer=3), "0:order 1:stay 2:stay 3:stay")
    assert (hand.phase, hand.seat) == ("discard", 3)
    assert hand.legal() == [f"discard:{card}" for card in ("9H", "JC", "KD", "QC", "QD", "TH")]
    assert play(run(hand, "3:discard:9H"), FOUR_PLAY).result()["deltas"] == [5, -2, -1, 5]


def test_a_dealer_who_makes_discards_after_the_stay_round() -> None:
    hand = run(deal(AFTER_STAY, FOUR, "9H", dealer=3), "0:pass 1:pass 2:pass 3:order 0:stay 1:drop 2:drop")
    assert (hand.phase, hand.seat) == ("discard", 3)
    assert run(hand, "3:discard:JC").phase == "play"


def test_a_dealer_who_dropped_or_was_left_alone_discards_nothing() -> None:
    """RULES §7.2, §8.4."""
    dropped = run(deal(AFTER_STAY, FOUR, "9H", dealer=3), "0:order 1:stay 2:stay 3:drop")
    assert (dropped.phase, dropped.seat) == ("play", 0)
    alone = run(deal(AFTER_STAY, FOUR, "9H", dealer=3), "0:pass 1:pass 2:pass 3:order 0:drop 1:drop 2:drop")
    assert alone.result()["winners"] == [3]


def test_the_upcard_just_taken_may_be_kept_from_the_discards() -> None:
    """RULES §7.1, §7.6."""
    hand = run(deal(house("ohio", discard_upcard=False), FOUR, "9H", dealer=3), "0:order")
    assert hand.legal() == [f"discard:{card}" for card in ("JC", "KD", "QC", "QD", "TH")]
    assert "discard:9H" in run(deal(PROFILES["ohio"], FOUR, "9H", dealer=3), "0:order").legal()
