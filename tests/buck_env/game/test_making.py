"""Making trump over the upcard and in the auction, on both engines."""

from __future__ import annotations

import pytest
from worked import FOUR, FOUR_PLAY, SUITS, deal, house, play, run

pytestmark = pytest.mark.usefixtures("both_engines")


def test_circuits_of_four_seats_end_at_three_passes_after_a_bid_or_four_without() -> None:
    """RULES §6.3, §6.4."""
    rules = house("dirty-clubs", bid_circuits="many")
    hand = run(deal(rules, SUITS, "9D", dealer=3), "0:pass 1:pass 2:pass")
    assert hand.phase == "bid"
    hand = run(hand, "3:bid:2 0:pass 1:bid:3 2:pass 3:pass")
    assert (hand.phase, hand.seat) == ("bid", 0)
    assert run(hand, "0:pass").phase == "name"
    assert run(deal(rules, SUITS, "9D", dealer=3), "0:pass 1:pass 2:pass 3:pass").result()["redeal"]


def test_bids_range_from_bid_min_to_bid_max() -> None:
    """RULES §6.1."""
    hand = deal(house("dirty-clubs", bid_min=3, bid_max=4), SUITS, "9D", dealer=3)
    assert hand.legal() == ["bid:3", "bid:4", "pass"]


def test_all_pass_in_an_auction_may_mean_no_trump() -> None:
    """RULES §6.4, §9.1."""
    rules = house("dirty-clubs", all_pass="no_trump", stayer_needs=2)
    hand = run(deal(rules, SUITS, "9D", dealer=2), "3:pass 0:pass 1:pass 2:pass")
    # `lead: maker`, but nobody undertakes: the dealer's left leads, and takes all five in its suit.
    play(
        hand, "3:AS 0:AC 1:AD 2:AH  3:KS 0:KC 1:KD 2:KH  3:QS 0:QC 1:QD 2:QH  3:JS 0:JC 1:JD 2:JH  3:TS 0:TC 1:TD 2:TH"
    )
    result = hand.result()
    assert (result["trump"], result["maker"], result["stayed"]) == ("NT", None, [True] * 4)
    assert result["deltas"] == [5, 5, 5, -5]


def test_no_trump_may_be_called_but_not_the_suit_turned_down() -> None:
    """RULES §5.3, §5.4, §5.5, §5.6."""
    hand = run(deal(house("ohio", no_trump=True), SUITS, "9D", dealer=3), "0:pass 1:pass 2:pass 3:pass")
    assert hand.legal() == ["name:C", "name:H", "name:NT", "name:S", "pass"]
    run(hand, "0:name:NT")
    assert (hand.trump, hand.maker, hand.phase, hand.seat) == ("NT", 0, "stay", 1)


def test_without_pick_up_the_upcard_stays_out() -> None:
    hand = run(deal(house("ohio", pick_up=False), FOUR, "9H", dealer=3), "0:order 1:stay 2:stay 3:stay")
    assert play(hand, FOUR_PLAY).result()["deltas"] == [5, -2, -1, 5]


def test_the_suit_turned_down_may_be_named_where_the_house_says_so() -> None:
    """RULES §5.4, §5.9."""
    for who, first, last in (("nobody", False, False), ("dealer", False, True), ("anyone", True, True)):
        hand = run(deal(house("bucked", turned_down=who), SUITS, "9D", dealer=3), "0:pass 1:pass 2:pass 3:pass")
        assert ("name:D" in hand.legal()) is first
        run(hand, "0:pass 1:pass 2:pass")
        assert ("name:D" in hand.legal()) is last


def test_a_stuck_dealer_must_name_and_the_upcard_stays_turned_down() -> None:
    """RULES §5.9, §5.10."""
    rules = house("ohio", all_pass="stick_dealer", turned_down="dealer")
    hand = run(deal(rules, SUITS, "9D", dealer=3), "0:pass 1:pass 2:pass 3:pass 0:pass 1:pass 2:pass")
    assert hand.legal() == ["name:C", "name:D", "name:H", "name:S"]
    run(hand, "3:name:D")
    assert (hand.trump, hand.maker, hand.phase, hand.seat) == ("D", 3, "stay", 0)
    assert len(hand.hands[3]) == 5
