"""Staying and dropping, on both engines."""

from __future__ import annotations

import pytest
from worked import FOUR, FOUR_PLAY, SUITS, deal, house, play, run

pytestmark = pytest.mark.usefixtures("both_engines")


def test_the_stay_round_may_start_at_the_dealers_left() -> None:
    """RULES §8.2."""
    rules = house("bucked", stay_from="dealer")
    run(deal(rules, SUITS, "9D", dealer=3), "0:pass 1:order 0:stay 2:stay 3:stay 0:play:AC")
    run(deal(rules, SUITS, "9D", dealer=3), "0:order 1:stay 2:stay 3:stay")


def test_who_may_not_drop_is_not_asked() -> None:
    """RULES §8.1."""
    hand = run(deal(house("ohio", may_drop=False), FOUR, "9H", dealer=3), "0:order 3:discard:9H")
    assert hand.phase == "play"
    assert play(hand, FOUR_PLAY).result()["deltas"] == [5, -2, -1, 5]


def test_forced_stay_compares_the_score_itself_whichever_way_scores_run() -> None:
    """RULES §8.3."""
    hand = deal(house("bucked", forced_stay=0), SUITS, "9D", dealer=3, scores=[9, 1, 0, -7])
    run(hand, "0:order")
    assert hand.legal() == ["drop", "stay"]
    run(hand, "1:drop")
    assert hand.legal() == ["stay"]
    run(hand, "2:stay")
    assert hand.legal() == ["stay"]


@pytest.mark.parametrize("maker", range(4))
@pytest.mark.parametrize("stay_from", ["maker", "dealer"])
def test_every_seat_but_the_maker_is_asked_once_clockwise(maker: int, stay_from: str) -> None:
    """RULES §8.1, §8.2."""
    dealer = 1
    hand = deal(house("bucked", stay_from=stay_from), SUITS, "9D", dealer)
    while hand.seat != maker:
        run(hand, f"{hand.seat}:pass")
    run(hand, f"{maker}:order")
    first = (maker if stay_from == "maker" else dealer) + 1
    for seat in [(first + n) % 4 for n in range(4) if (first + n) % 4 != maker]:
        assert (hand.phase, hand.seat, hand.legal()) == ("stay", seat, ["drop", "stay"])
        run(hand, f"{seat}:stay")
    assert hand.phase == "play"


def test_play_begins_without_those_who_dropped_and_ends_where_all_did() -> None:
    """RULES §8.5, §8.6."""
    hand = run(deal(house("bucked"), SUITS, "9D", dealer=3), "0:order 1:drop 2:stay 3:drop")
    assert (hand.phase, hand.seat) == ("play", 0)
    run(hand, "0:play:AC 2:play:AH 0:play:KC")
    hand = run(deal(house("bucked"), SUITS, "9D", dealer=3), "0:order 1:drop 2:drop 3:drop")
    assert hand.phase is None
    assert hand.result()["stayed"] == [True, False, False, False]
