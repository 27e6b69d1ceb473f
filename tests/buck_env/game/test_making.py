"""Making trump, the exchange, the discards and the stay round, on both engines."""

from __future__ import annotations

import pytest
from worked import (
    FOUR,
    FOUR_PLAY,
    SUITS,
    TAKES_4,
    deal,
    house,
    play,
    run,
)

from buck_env import PROFILES

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


def test_the_maker_may_lead_in_any_house() -> None:
    """RULES §9.1."""
    assert (
        run(deal(house("bucked", lead="maker"), SUITS, "9D", dealer=3), "0:pass 1:order 2:stay 3:stay 0:stay").seat == 1
    )
    assert run(deal(PROFILES["bucked"], SUITS, "9D", dealer=3), "0:pass 1:order 2:stay 3:stay 0:drop").seat == 1
    assert run(deal(PROFILES["bucked"], SUITS, "9D", dealer=3), "0:pass 1:order 2:stay 3:stay 0:stay").seat == 0


def test_first_taker_ends_the_exchange() -> None:
    """RULES §2.5, §4.1."""
    hand = run(deal(PROFILES["cutthroat"], TAKES_4, "JH JD JC 9H 9C", dealer=1), "0:keep 1:exchange")
    assert hand.phase == "bid"
    assert set(hand.hands[1]) == {"JH", "JD", "JC", "9H", "9C"}


def test_exchange_every_passes_the_laid_down_hand_on() -> None:
    """RULES §4.2, §4.3."""
    hand = deal(house("cutthroat", exchange="every"), TAKES_4, "JH JD JC 9H 9C", dealer=1)
    run(hand, "0:exchange 1:keep 2:exchange 2:bid:2 0:pass 1:pass 2:name:H 0:stay 1:stay")
    # Seat 0 took the widow and laid down its four-trick hand, which seat 2 took.
    assert hand.legal() == ["play:9D", "play:AC", "play:AH", "play:KH", "play:QH"]
    play(hand, "2:AH")
    assert hand.legal() == ["play:9H", "play:JD", "play:JH"]
    # Both bowers are seat 0's: two tricks; AC and KH are seat 2's; the last diamond is won by seat 1.
    play(hand, "0:JH 1:9S  0:JD 1:TS 2:QH  0:9C 1:TC 2:AC  2:KH 0:9H 1:KD  2:9D 0:JC 1:AD")
    assert hand.result()["tricks"] == [2, 1, 2]
    assert hand.result()["deltas"] == [-2, -1, -2]


def test_exchange_every_asks_each_seat_once() -> None:
    """RULES §4.2."""
    hand = run(deal(house("cutthroat", exchange="every"), TAKES_4, "", dealer=1), "0:keep 1:keep 2:keep")
    assert hand.phase == "bid"
    assert [set(held) for held in hand.hands] == [set(held.split()) for held in TAKES_4]


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


def test_the_upcard_just_taken_may_be_kept_from_the_discards() -> None:
    """RULES §7.1, §7.6."""
    hand = run(deal(house("ohio", discard_upcard=False), FOUR, "9H", dealer=3), "0:order")
    assert hand.legal() == [f"discard:{card}" for card in ("JC", "KD", "QC", "QD", "TH")]
    assert "discard:9H" in run(deal(PROFILES["ohio"], FOUR, "9H", dealer=3), "0:order").legal()
