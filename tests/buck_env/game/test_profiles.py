"""The worked examples of the profiles, on both engines (RULES §15.1)."""

from __future__ import annotations

import pytest
from worked import (
    FOUR,
    FOUR_PLAY,
    SUITS,
    TAKES_2,
    TAKES_2_PLAY,
    TAKES_3,
    TAKES_3_PLAY,
    TAKES_4,
    TAKES_4_PLAY,
    deal,
    play,
    run,
)

from buck_env import PROFILES

pytestmark = pytest.mark.usefixtures("both_engines")


def test_000_the_second_seat_wins_the_trick_and_the_scores_are_30_23_24_30() -> None:
    """RULES §3.1, §3.2, §5.1, §5.2, §9.3, §9.4, §11.1, §11.4, §15.1."""
    hand = deal(PROFILES["ohio"], FOUR, "9H", dealer=3)
    run(hand, "0:order 3:discard:9H 1:stay 2:stay 3:stay")
    first, _, others = FOUR_PLAY.partition("  ")
    assert play(hand, first).seat == 1  # the left bower won
    play(hand, others)
    assert hand.phase is None
    assert hand.seat is None
    assert hand.legal() == []
    assert hand.result() == {
        "redeal": False,
        "maker": 0,
        "trump": "H",
        "stayed": [True] * 4,
        "tricks": [2, 2, 1, 0],
        "deltas": [5, -2, -1, 5],
        "scores": [30, 23, 24, 30],
        "winners": [],
    }


def test_001_two_tricks_score_two_none_costs_five_and_only_ones_own_column_moves() -> None:
    """RULES §2.4, §7.3, §7.4, §7.5, §11.3."""
    hand = deal(PROFILES["stick-the-dealer"], FOUR, "JH QH 9H TD", dealer=3)
    assert len(hand.legal()) == 9
    run(hand, "3:discard:JH 3:discard:QH 3:discard:9H 3:discard:TD")
    assert hand.legal() == ["name:C", "name:D", "name:H", "name:NT", "name:S"]
    run(hand, "3:name:H")
    play(hand, FOUR_PLAY)
    assert hand.result()["maker"] is None
    assert hand.result()["deltas"] == [2, 2, 1, -5]


def test_002_the_left_bower_is_a_trump_and_no_diamond() -> None:
    """RULES §1.3, §6.5, §9.2."""
    hearts_led = deal(PROFILES["dirty-clubs"], SUITS, "9D", dealer=1)
    run(hearts_led, "2:bid:5 3:pass 0:pass 1:pass 2:name:H 3:stay 0:stay 1:stay")
    play(hearts_led, "2:AH 3:AS 0:AC")
    assert hearts_led.legal() == ["play:JD"]

    diamonds_led = deal(
        PROFILES["dirty-clubs"],
        ["AD AH KH QH TH", "JD AC KC QC TC", "JC 9D AS KS QS", "JH JS TS 9S KD"],
        "9H",
        dealer=3,
    )
    run(diamonds_led, "0:bid:5 1:pass 2:pass 3:pass 0:name:H 1:stay 2:stay 3:stay")
    play(diamonds_led, "0:AD")
    assert len(diamonds_led.legal()) == 5  # seat 1 holds no diamond, and need not trump
    play(diamonds_led, "1:JD")
    assert diamonds_led.legal() == ["play:9D"]
    play(diamonds_led, "2:9D 3:KD")
    assert diamonds_led.seat == 1


def test_002_a_bidder_at_8_whom_all_leave_goes_to_3() -> None:
    """RULES §8.6, §11.6."""
    hand = deal(PROFILES["dirty-clubs"], SUITS, "9D", dealer=1, scores=[8, 8, 8, 8])
    run(hand, "2:bid:3 3:pass 0:pass 1:pass 2:name:S 3:drop 0:drop 1:drop")
    assert hand.result()["tricks"] == [0, 0, 5, 0]
    assert hand.result()["scores"] == [8, 8, 3, 8]


@pytest.mark.parametrize(("score", "winners"), [(15, []), (6, []), (5, [2])])
def test_002_all_five_tricks_win_only_at_0_or_below(score: int, winners: list[int]) -> None:
    """RULES §12.1, §12.4."""
    hand = deal(PROFILES["dirty-clubs"], SUITS, "9D", dealer=1, scores=[15, 15, score, 15])
    run(hand, "2:bid:5 3:pass 0:pass 1:pass 2:name:H 3:stay 0:stay 1:stay")
    play(
        hand, "2:JH 3:AS 0:AC 1:JD  2:AH 3:KS 0:KC 1:AD  2:KH 3:QS 0:QC 1:KD  2:QH 3:JS 0:JC 1:QD  2:TH 3:TS 0:TC 1:TD"
    )
    assert hand.result()["tricks"] == [0, 0, 5, 0]
    assert hand.result()["deltas"] == [5, 5, -5, 5]
    assert hand.result()["winners"] == winners


def test_003_three_two_and_no_tricks_score_3_and_minus_5_twice() -> None:
    """RULES §11.2, §11.4."""
    hand = deal(PROFILES["bucked-3"], TAKES_3, "9H", dealer=2)
    run(hand, "0:order 1:stay 2:stay")
    play(hand, TAKES_3_PLAY)
    assert hand.result()["tricks"] == [3, 2, 0]
    assert hand.result()["deltas"] == [3, -5, -5]


@pytest.mark.parametrize(
    ("hands", "cards", "deltas"),
    [
        (TAKES_4, TAKES_4_PLAY, [-4, -1, 5]),  # bid 3, take 4; stay and take none
        (TAKES_2, TAKES_2_PLAY, [5, -2, -1]),  # bid 3, take 2; stay and take 2
    ],
)
def test_004_scores(hands: list[str], cards: str, deltas: list[int]) -> None:
    """RULES §11.2, §11.3, §11.4."""
    hand = deal(PROFILES["cutthroat"], hands, "", dealer=2)
    run(hand, "1:keep 2:keep 0:keep 0:bid:3 1:pass 2:pass 0:name:H 1:stay 2:stay")
    play(hand, cards)
    assert hand.result()["deltas"] == deltas


def test_004_at_5_or_less_dropping_is_not_legal() -> None:
    """RULES §8.3."""
    hand = deal(PROFILES["cutthroat"], TAKES_4, "", dealer=2, scores=[15, 5, 6])
    run(hand, "1:keep 2:keep 0:keep 0:bid:3 1:pass 2:pass 0:name:H")
    assert hand.legal() == ["stay"]
    run(hand, "1:stay")
    assert hand.legal() == ["drop", "stay"]


def test_a_club_turned_is_trump_without_a_maker_and_without_a_stay_round() -> None:
    """RULES §2.2, §2.3."""
    for name in ("ohio", "dirty-clubs"):
        hand = deal(PROFILES[name], SUITS, "9C", dealer=3)
        assert (hand.phase, hand.seat, hand.trump, hand.maker) == ("play", 0, "C", None)
    assert deal(PROFILES["bucked"], SUITS, "9C", dealer=3).phase == "order"


def test_all_pass_twice() -> None:
    """RULES §5.7, §5.8."""
    passes = "0:pass 1:pass 2:pass 3:pass " * 2
    ohio = run(deal(PROFILES["ohio"], SUITS, "9D", dealer=3), passes)
    assert (ohio.phase, ohio.seat, ohio.trump, ohio.maker) == ("play", 0, "NT", None)
    bucked = run(deal(PROFILES["bucked"], SUITS, "9D", dealer=3), passes)
    assert bucked.result() == {
        "redeal": True,
        "maker": None,
        "trump": None,
        "stayed": [True] * 4,
        "tricks": [0] * 4,
        "deltas": [0] * 4,
        "scores": [0] * 4,
        "winners": [],
    }


def test_an_illegal_action_is_refused_and_nothing_changes() -> None:
    """RULES §3.4."""
    hand = deal(PROFILES["bucked"], SUITS, "9D", dealer=3)
    for wrong in ("drop", "name:H", "play:AC", "", "ORDER"):
        with pytest.raises(ValueError, match="not legal"):
            hand.act(wrong)
    assert (hand.seat, hand.legal()) == (0, ["order", "pass"])
    with pytest.raises(ValueError, match="not over"):
        hand.result()
    run(hand, "0:order 1:drop 2:drop 3:drop")
    with pytest.raises(ValueError, match="over"):
        hand.act("play:AC")


def test_the_ten_is_read_both_ways() -> None:
    """RULES §1.2."""
    hand = deal(PROFILES["bucked"], [hand.replace("T", "10") for hand in SUITS], "9D", dealer=3)
    run(hand, "0:order 1:stay 2:stay 3:stay")
    assert "play:TC" in hand.legal()
    play(hand, "0:10C")


def test_two_opening_passes_do_not_bind_the_third_seat_and_who_passed_may_bid() -> None:
    """RULES §3.3, §6.3, §6.6."""
    hand = deal(PROFILES["cutthroat"], TAKES_4, "", dealer=2)
    run(hand, "1:exchange 0:pass 1:pass 2:bid:1 0:bid:7")
    assert hand.legal() == ["bid:8", "pass"]
    run(hand, "1:bid:8")
    assert hand.legal() == ["pass"]
    run(hand, "2:pass 0:pass")
    assert (hand.phase, hand.seat) == ("name", 1)
    run(hand, "1:name:NT 2:stay 0:drop")
    assert (hand.phase, hand.seat) == ("play", 1)


def test_one_circuit_asks_each_seat_once_even_when_it_can_only_pass() -> None:
    """RULES §3.3, §6.2."""
    hand = run(deal(PROFILES["dirty-clubs"], SUITS, "9D", dealer=3), "0:pass 1:bid:5")
    assert hand.legal() == ["pass"]
    run(hand, "2:pass 3:pass")
    assert (hand.phase, hand.seat, hand.legal()) == ("name", 1, ["name:C", "name:D", "name:H", "name:S"])
