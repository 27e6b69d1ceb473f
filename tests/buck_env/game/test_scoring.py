"""The score of a hand and the end of the match, on both engines."""

from __future__ import annotations

from typing import Any

import pytest
from rule_book import WORKED_SCORES, WorkedScore
from worked import (
    FOUR,
    FOUR_PLAY,
    SUITS,
    TAKES_4,
    TAKES_4_PLAY,
    deal,
    house,
    play,
    points_of,
    run,
)

from buck_env import PROFILES, Rules

pytestmark = pytest.mark.usefixtures("both_engines")


@pytest.mark.parametrize("row", WORKED_SCORES, ids=str)
def test_worked_scores(row: WorkedScore) -> None:
    assert points_of(row) == row.points


@pytest.mark.parametrize(("base", "delta"), [("ohio", -2), ("bucked", 2)])
def test_drop_points_run_toward_the_target(base: str, delta: int) -> None:
    """RULES §8.5, §11.5."""
    rules = house(base, drop_points=2, pick_up=False)
    hand = run(deal(rules, FOUR, "9H", dealer=3), "0:order 1:drop 2:drop 3:stay")
    # Seats 0 and 3 alone: once its TH is gone, seat 3 can beat none of seat 0's cards.
    play(hand, "0:KH 3:TH  0:AC 3:JC  0:AD 3:QD  0:QS 3:KD  0:TS 3:QC")
    assert hand.result()["tricks"] == [5, 0, 0, 0]
    assert hand.result()["deltas"] == [rules.toward * 5, delta, delta, rules.toward * -5]


def walkover(rules: Rules, scores: list[int] | None = None, hands_played: int = 0) -> dict[str, Any]:
    """Dirty clubs: seat 2 bids 3, names spades, and all leave it."""
    hand = deal(rules, SUITS, "9D", dealer=1, scores=scores, hands_played=hands_played)
    return run(hand, "2:bid:3 3:pass 0:pass 1:pass 2:name:S 3:drop 0:drop 1:drop").result()


@pytest.mark.parametrize(
    ("different", "tricks", "deltas", "winners"),
    [
        ({}, [0, 0, 5, 0], [0, 0, -5, 0], []),
        ({"sweep_wins": True}, [0, 0, 5, 0], [0, 0, -5, 0], [2]),
        ({"walkover_points": 3}, [0, 0, 5, 0], [0, 0, -5, 0], []),
        ({"walkover": "points", "walkover_points": 3}, [0] * 4, [0, 0, -3, 0], []),
        ({"walkover": "points", "walkover_points": -2}, [0] * 4, [0, 0, 2, 0], []),
        ({"walkover": "points", "sweep_wins": True}, [0] * 4, [0, 0, -5, 0], []),
        ({"walkover": "nothing", "sweep_wins": True}, [0] * 4, [0] * 4, []),
        ({"walkover": "nothing", "drop_points": -1}, [0] * 4, [1, 1, 0, 1], []),
        ({"drop_points": 4}, [0, 0, 5, 0], [-4, -4, -5, -4], []),
    ],
)
def test_walkovers(different: dict[str, Any], tricks: list[int], deltas: list[int], winners: list[int]) -> None:
    """RULES §8.6, §11.6."""
    result = walkover(house("dirty-clubs", **different))
    assert result["stayed"] == [False, False, True, False]
    assert (result["tricks"], result["deltas"], result["winners"]) == (tricks, deltas, winners)


def test_a_walkover_is_worth_five_whatever_was_bid() -> None:
    """RULES §8.6."""
    hand = deal(PROFILES["cutthroat"], TAKES_4, "", dealer=2)
    run(hand, "1:exchange 0:bid:8 1:pass 2:pass 0:name:H 1:drop 2:drop")
    assert (hand.result()["tricks"], hand.result()["deltas"]) == ([5, 0, 0], [-5, 0, 0])


def test_needs_and_penalties_are_the_houses() -> None:
    """RULES §11.2, §11.4."""
    rules = house("ohio", maker_needs=2, stayer_needs=2, maker_penalty=7, stayer_penalty=3)
    hand = run(deal(rules, FOUR, "9H", dealer=3), "0:order 3:discard:9H 1:stay 2:stay 3:stay")
    assert play(hand, FOUR_PLAY).result()["deltas"] == [-2, -2, 3, 3]
    rules = house("ohio", maker_needs=3, stayer_needs=0, maker_penalty=7)
    hand = run(deal(rules, FOUR, "9H", dealer=3), "0:order 3:discard:9H 1:stay 2:stay 3:stay")
    assert play(hand, FOUR_PLAY).result()["deltas"] == [7, -2, -1, 0]


def test_a_sweep_beats_every_total() -> None:
    """RULES §12.4."""
    rules = house("dirty-clubs", sweep_wins=True, drop_points=4)
    result = walkover(rules, scores=[2, 15, 15, 15])
    assert (result["scores"], result["winners"]) == ([-2, 11, 10, 11], [2])
    assert walkover(house("dirty-clubs", drop_points=4), scores=[2, 15, 15, 15])["winners"] == [0]


ALL_HEARTS = ["AH KH QH JH TH", "AD KD TC 9S TS", "QD TD QC JS QS"]


def test_a_sweep_wins_although_its_contract_of_six_failed() -> None:
    """RULES §6.6, §12.4."""
    hand = deal(house("cutthroat", sweep_wins=True), ALL_HEARTS, "", dealer=2, scores=[15, 3, 3])
    run(hand, "1:keep 2:keep 0:keep 0:bid:6 1:pass 2:pass 0:name:H 1:stay 2:stay")
    play(hand, "0:JH 1:AD 2:QD  0:AH 1:KD 2:TD  0:KH 1:TC 2:QC  0:QH 1:9S 2:JS  0:TH 1:TS 2:QS")
    assert hand.result()["deltas"] == [5, 5, 5]
    assert hand.result()["winners"] == [0]


def test_a_stayer_may_sweep_too() -> None:
    """RULES §12.4."""
    hand = deal(house("cutthroat", sweep_wins=True), ALL_HEARTS, "", dealer=2)
    run(hand, "1:keep 2:keep 0:keep 0:pass 1:bid:1 2:pass 0:pass 1:name:H 2:stay 0:stay")
    play(hand, "1:AD 2:QD 0:TH  0:JH 1:KD 2:TD  0:AH 1:TC 2:QC  0:KH 1:9S 2:JS  0:QH 1:TS 2:QS")
    assert hand.result()["deltas"] == [-5, 5, 5]
    assert hand.result()["winners"] == [0]


@pytest.mark.parametrize(("tie", "winners"), [("share", [0, 1]), ("eldest", [0]), ("play_on", [])])
def test_ties_at_the_target(tie: str, winners: list[int]) -> None:
    """RULES §12.2, §12.3."""
    rules = house("stick-the-dealer", tie=tie)
    for scores, who in (([13, 13, 12, 0], winners), ([13, 14, 14, 0], [1]), ([12, 12, 13, 0], [])):
        hand = deal(rules, FOUR, "JH QH 9H TD", dealer=3, scores=scores)
        run(hand, "3:discard:JH 3:discard:QH 3:discard:9H 3:discard:TD 3:name:H")
        assert play(hand, FOUR_PLAY).result()["winners"] == who


@pytest.mark.parametrize(("tie", "winners"), [("share", [0, 3]), ("eldest", [3]), ("play_on", [])])
def test_ties_after_n_hands(tie: str, winners: list[int]) -> None:
    # The dealer is seat 1, so that seat 3 comes before seat 0.
    """RULES §12.3, §12.5."""
    rules = house("dirty-clubs", tie=tie, hands=1, walkover="nothing")
    assert walkover(rules, scores=[13, 19, 19, 13])["winners"] == winners
    # Playing on, the match ends with the next hand that leaves no tie.
    assert walkover(rules, scores=[13, 19, 12, 13], hands_played=4)["winners"] == [2]


def test_after_n_hands_the_best_total_wins_and_the_target_is_ignored() -> None:
    """RULES §12.2, §12.5."""
    rules = house("dirty-clubs", hands=3, drop_points=1)
    for hands_played, winners in ((0, []), (1, []), (2, [0]), (7, [0])):
        result = walkover(rules, scores=[1, 20, 9, 20], hands_played=hands_played)
        assert (result["scores"], result["winners"]) == ([0, 19, 4, 19], winners)
    assert walkover(rules, scores=[30, 31, 32, 33], hands_played=2)["winners"] == [2]


def test_with_target_in_hands_the_target_ends_the_match_too() -> None:
    """RULES §12.5."""
    rules = house("dirty-clubs", hands=3, target_in_hands=True)
    assert walkover(rules, scores=[15, 15, 5, 15])["winners"] == [2]
    assert walkover(rules, scores=[15, 15, 6, 15])["winners"] == []
    assert walkover(rules, scores=[15, 15, 20, 15], hands_played=2)["winners"] == [0, 1, 2, 3]


def test_a_sweep_wins_at_once_with_hands_too() -> None:
    assert walkover(house("dirty-clubs", hands=3, sweep_wins=True), scores=[1, 20, 40, 20])["winners"] == [2]


def test_a_redeal_ends_no_match() -> None:
    """RULES §12.6."""
    hand = deal(house("dirty-clubs", hands=3), SUITS, "9D", dealer=3, scores=[-1, 2, 3, 4], hands_played=2)
    assert run(hand, "0:pass 1:pass 2:pass 3:pass").result()["winners"] == []


@pytest.mark.parametrize(("bid", "delta"), [(2, -2), (4, -4), (5, 5)])
def test_a_made_contract_may_score_only_what_was_bid(bid: int, delta: int) -> None:
    """RULES §11.7."""
    hand = deal(house("cutthroat", made_contract="bid", exchange="none"), TAKES_4, "", dealer=2)
    run(hand, f"0:bid:{bid} 1:pass 2:pass 0:name:H 1:stay 2:stay")
    assert play(hand, TAKES_4_PLAY).result()["deltas"] == [delta, -1, 5]


@pytest.mark.parametrize(("bid", "delta"), [(3, -3), (8, -5)])
def test_a_walkover_may_score_only_what_was_bid(bid: int, delta: int) -> None:
    """RULES §8.6, §11.7."""
    hand = deal(house("cutthroat", made_contract="bid", exchange="none"), TAKES_4, "", dealer=2)
    run(hand, f"0:bid:{bid} 1:pass 2:pass 0:name:H 1:drop 2:drop")
    assert (hand.result()["tricks"], hand.result()["deltas"]) == ([5, 0, 0], [delta, 0, 0])
