"""Leading, following and reneging, on both engines."""

from __future__ import annotations

import pytest
from worked import (
    BOWER,
    SUITS,
    TAKES_2,
    deal,
    house,
    play,
    run,
)

from buck_env import PROFILES

pytestmark = pytest.mark.usefixtures("both_engines")


RENEGE = house("bucked-3", illegal_play="renege")


def test_without_the_house_rule_a_renege_is_refused() -> None:
    """RULES §3.4."""
    hand = run(deal(PROFILES["bucked-3"], BOWER, "9H", dealer=2), "0:order 1:stay 2:stay 0:play:AC")
    with pytest.raises(ValueError, match="not legal"):
        hand.act("play:JH")


def test_a_renege_costs_five_at_once_and_its_card_cannot_win() -> None:
    """RULES §10.1, §10.2, §10.3, §10.6."""
    hand = run(deal(RENEGE, BOWER, "9H", dealer=2), "0:order 1:stay 2:stay 0:play:AC")
    assert hand.legal() == ["play:TC"]  # the proper card
    with pytest.raises(ValueError, match="not legal"):
        hand.act("play:KC")  # a card it does not hold
    # Seat 1 plays no more: seats 0 and 2 go on.
    play(hand, "1:JH 2:QC  0:AH 2:JS  0:KH 2:QS  0:QH 2:TD  0:9D 2:QD")
    result = hand.result()
    assert result["stayed"] == [True] * 3
    assert (result["tricks"], result["deltas"]) == ([4, 0, 1], [4, -5, -5])


def test_a_renege_keeps_its_tricks_but_is_paid_for_whatever_was_won() -> None:
    """RULES §10.2, §10.3."""
    rules = house("bucked-3", illegal_play="renege", renege_penalty=8, stayer_needs=1, stayer_penalty=2)
    hand = run(deal(rules, BOWER, "9H", dealer=2), "0:order 1:stay 2:stay")
    # Seat 1 wins one trick, and a second; then it fails to follow clubs.
    play(hand, "0:9D 1:AD 2:QD  1:JH 2:JS 0:QH  1:9S 2:QS 0:AH  0:AC 1:TS")
    play(hand, "2:QC  0:KH 2:TD")
    assert hand.result()["tricks"] == [3, 2, 0]
    assert hand.result()["deltas"] == [3, -8, -2]


def test_if_the_maker_reneges_the_others_score_as_stayers() -> None:
    """RULES §10.4."""
    hand = deal(house("cutthroat", illegal_play="renege"), TAKES_2, "", dealer=2)
    run(hand, "1:keep 2:keep 0:keep 0:bid:2 1:pass 2:pass 0:name:H 1:stay 2:stay")
    # The maker has made its bid of two when it fails to follow clubs with TD.
    play(hand, "0:AH 1:9S 2:JS  0:KH 1:TS 2:QS  0:9D 1:KD 2:QD  1:TC 2:AC 0:TD  2:QC 1:AD")
    result = hand.result()
    assert (result["maker"], result["stayed"]) == (0, [True] * 3)
    assert (result["tricks"], result["deltas"]) == ([2, 1, 2], [5, -1, -2])


def test_the_last_remaining_seat_takes_the_rest_with_no_more_plays() -> None:
    """RULES §10.5."""
    hand = run(deal(RENEGE, BOWER, "9H", dealer=2), "0:order 1:stay 2:drop")
    play(hand, "0:9D 1:AD  1:9S 0:AH  0:AC 1:TS")
    assert hand.phase is None
    assert hand.result()["tricks"] == [4, 1, 0]
    assert hand.result()["deltas"] == [4, -5, 0]


def test_two_reneges_in_one_trick_leave_the_leader_alone() -> None:
    """RULES §10.3, §10.5."""
    hand = run(deal(RENEGE, BOWER, "9H", dealer=2), "0:order 1:stay 2:stay")
    play(hand, "0:AC 1:JH 2:QS")
    assert hand.phase is None
    assert (hand.result()["tricks"], hand.result()["deltas"]) == ([5, 0, 0], [5, -5, -5])


def test_all_five_tricks_left_over_by_reneges_are_a_sweep() -> None:
    rules = house("bucked-3", illegal_play="renege", sweep_wins=True)
    hand = run(deal(rules, BOWER, "9H", dealer=2), "0:order 1:stay 2:drop")
    play(hand, "0:9D 1:AD  1:TC 0:AH")  # the maker holds AC
    result = hand.result()
    assert (result["tricks"], result["deltas"], result["winners"]) == ([0, 5, 0], [-5, 5, 0], [1])


def test_reneging_with_the_left_bower() -> None:
    # JD is a heart: who holds it must play it on hearts, and who plays it on diamonds with a diamond in hand reneges.
    hand = deal(RENEGE, ["AH AD KD AC KC", "JD 9D TD 9S TS", "QH QD QC QS JS"], "9H", dealer=2)
    run(hand, "0:order 1:stay 2:stay 0:play:AD")
    assert hand.legal() == ["play:9D", "play:TD"]
    play(hand, "1:JD 2:QD  0:KD 2:QH")  # seat 2 had only one diamond, and trumps in good order
    assert hand.seat == 2
    play(hand, "2:JS 0:AH  0:AC 2:QC  0:KC 2:QS")
    assert (hand.result()["tricks"], hand.result()["deltas"]) == ([4, 0, 1], [4, -5, -5])


def test_the_maker_may_lead_in_any_house() -> None:
    """RULES §9.1."""
    assert (
        run(deal(house("bucked", lead="maker"), SUITS, "9D", dealer=3), "0:pass 1:order 2:stay 3:stay 0:stay").seat == 1
    )
    assert run(deal(PROFILES["bucked"], SUITS, "9D", dealer=3), "0:pass 1:order 2:stay 3:stay 0:drop").seat == 1
    assert run(deal(PROFILES["bucked"], SUITS, "9D", dealer=3), "0:pass 1:order 2:stay 3:stay 0:stay").seat == 0
