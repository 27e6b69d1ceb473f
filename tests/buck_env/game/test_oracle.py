"""The slow engine against the conformance records, the worked examples of the rules, and house rules worked by hand."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest
from oracle import PACK, Hand, play_random, replay, strength, suit_of
from places import CONFORMANCE

from buck_env.game.house import load_rules
from buck_env.game.rules import PROFILES, Rules

RECORD_FILES = [*PROFILES, "matches"]


def house(base: str, **different: Any) -> Rules:
    """A profile, and what differs."""
    return load_rules({"base": base, **different})


def deal(
    rules: Rules, hands: list[str], top: str, dealer: int, scores: list[int] | None = None, hands_played: int = 0
) -> Hand:
    """A hand with these cards; the rest of the pack begins with the cards of `top`."""
    held = [hand.split() for hand in hands]
    first = top.split()
    seen = {card.replace("10", "T") for card in sum(held, first)}
    others = [card for card in PACK if card not in seen]
    return Hand(rules, held, first + others, dealer, scores or [rules.start] * rules.seats, hands_played)


def run(hand: Hand, script: str) -> Hand:
    """Act out ``"0:order 3:discard:9H"``: each time the seat is the one to act."""
    for word in script.split():
        seat, _, action = word.partition(":")
        assert hand.seat == int(seat), f"{word}: seat {hand.seat} acts, in {hand.phase}"
        hand.act(action)
    return hand


def play(hand: Hand, script: str) -> Hand:
    """Act out the play ``"0:KH 1:JD"``."""
    assert hand.phase == "play"
    return run(hand, script.replace(":", ":play:"))


# -- (1) the conformance records ------------------------------------------------------------------------------------


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CONFORMANCE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", RECORD_FILES)
def test_every_conformance_record_agrees(name: str) -> None:
    differences = {
        number: found
        for number, record in enumerate(records(name), start=1)
        if (found := replay(record, load_rules(record["rules"])))
    }
    assert not differences


def test_matches_carry_scores_and_deal_over_and_only_their_last_hand_has_winners() -> None:
    matches: dict[str, list[dict[str, Any]]] = {}
    for record in records("matches"):
        matches.setdefault(record["match"]["id"], []).append(record)
    assert len(matches) == 60
    for hands in matches.values():
        for before, after in itertools.pairwise(hands):
            assert after["scores"] == before["result"]["scores"]
            assert after["dealer"] == (before["dealer"] + 1) % len(before["scores"])
        assert [bool(hand["result"]["winners"]) for hand in hands] == [False] * (len(hands) - 1) + [True]


def test_replay_tells_every_kind_of_difference() -> None:
    rules = PROFILES["bucked"]
    record = play_random(rules, random.Random(5))
    assert replay(record, rules) == []

    def changed(**keys: Any) -> dict[str, Any]:
        return {**json.loads(json.dumps(record)), **keys}

    steps = record["steps"]
    assert "result: deltas" in replay(changed(result={**record["result"], "deltas": [9] * 4}), rules)[0]
    assert "result: extra" in replay(changed(result={**record["result"], "extra": 1}), rules)[0]
    assert "legal" in replay(changed(steps=[{**steps[0], "legal": ["order"]}, *steps[1:]]), rules)[0]
    assert "seat" in replay(changed(steps=[{**steps[0], "seat": 9}, *steps[1:]]), rules)[0]
    assert "not legal" in replay(changed(steps=[{**steps[0], "action": "bid:3"}, *steps[1:]]), rules)[0]
    assert "the record ends" in replay(changed(steps=steps[:-1]), rules)[0]
    assert "is over" in replay(changed(steps=[*steps, steps[-1]]), rules)[0]


# -- (2) cards, and the worked examples of the rules --------------------------------------------------------------


def test_order_of_the_cards() -> None:
    def by_strength(trump: str, led: str) -> str:
        able = [card for card in PACK if strength(card, trump, led)]
        return " ".join(sorted(able, key=lambda card: -strength(card, trump, led)))

    assert by_strength("H", "D") == "JH JD AH KH QH TH 9H AD KD QD TD 9D"
    assert by_strength("S", "H") == "JS JC AS KS QS TS 9S AH KH QH JH TH 9H"
    assert by_strength("C", "S") == "JC JS AC KC QC TC 9C AS KS QS TS 9S"
    assert by_strength("NT", "C") == "AC KC QC JC TC 9C"
    assert [suit_of("JD", trump) for trump in ("C", "D", "H", "S", "NT")] == ["D", "D", "H", "D", "D"]


# Four seats, hearts trump, all stay, seat 0 leads: 2, 2, 1 and 0 tricks. It begins with source 000's trick.
FOUR = ["KH QS TS AC AD", "JD AS 9S KC TC", "AH JS KS 9C 9D", "TH QC JC KD QD"]
FOUR_PLAY = "0:KH 1:JD 2:AH 3:TH  1:AS 2:JS 3:KD 0:QS  1:9S 2:KS 3:QD 0:TS  2:9C 3:QC 0:AC 1:KC  0:AD 1:TC 2:9D 3:JC"
# And one where every seat holds one suit: seat 2 takes all five tricks in hearts.
SUITS = ["AC KC QC JC TC", "AD KD QD JD TD", "AH KH QH JH TH", "AS KS QS JS TS"]


def test_000_the_second_seat_wins_the_trick_and_the_scores_are_30_23_24_30() -> None:
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
    hand = deal(PROFILES["stick-the-dealer"], FOUR, "JH QH 9H TD", dealer=3)
    assert len(hand.legal()) == 9
    run(hand, "3:discard:JH 3:discard:QH 3:discard:9H 3:discard:TD")
    assert hand.legal() == ["name:C", "name:D", "name:H", "name:NT", "name:S"]
    run(hand, "3:name:H")
    play(hand, FOUR_PLAY)
    assert hand.result()["maker"] is None
    assert hand.result()["deltas"] == [2, 2, 1, -5]


def test_002_the_left_bower_is_a_trump_and_no_diamond() -> None:
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
    hand = deal(PROFILES["dirty-clubs"], SUITS, "9D", dealer=1, scores=[8, 8, 8, 8])
    run(hand, "2:bid:3 3:pass 0:pass 1:pass 2:name:S 3:drop 0:drop 1:drop")
    assert hand.result()["tricks"] == [0, 0, 5, 0]
    assert hand.result()["scores"] == [8, 8, 3, 8]


@pytest.mark.parametrize(("score", "winners"), [(15, []), (6, []), (5, [2])])
def test_002_all_five_tricks_win_only_at_0_or_below(score: int, winners: list[int]) -> None:
    hand = deal(PROFILES["dirty-clubs"], SUITS, "9D", dealer=1, scores=[15, 15, score, 15])
    run(hand, "2:bid:5 3:pass 0:pass 1:pass 2:name:H 3:stay 0:stay 1:stay")
    play(
        hand, "2:JH 3:AS 0:AC 1:JD  2:AH 3:KS 0:KC 1:AD  2:KH 3:QS 0:QC 1:KD  2:QH 3:JS 0:JC 1:QD  2:TH 3:TS 0:TC 1:TD"
    )
    assert hand.result()["tricks"] == [0, 0, 5, 0]
    assert hand.result()["deltas"] == [5, 5, -5, 5]
    assert hand.result()["winners"] == winners


# Three deals for three seats, hearts trump, seat 0 making and leading: it takes 4, 3 and 2 tricks.
TAKES_4 = ["AH KH QH AC 9D", "AD KD TC 9S TS", "QD TD QC JS QS"]
TAKES_4_PLAY = "0:AH 1:9S 2:JS  0:KH 1:TS 2:QS  0:QH 1:TC 2:QC  0:AC 1:KD 2:TD  0:9D 1:AD 2:QD"
TAKES_3 = ["AH KH QH TD 9D", "AD KD TC 9S TS", "QD QC AC JS QS"]
TAKES_3_PLAY = "0:AH 1:9S 2:JS  0:KH 1:TS 2:QS  0:QH 1:TC 2:QC  0:9D 1:KD 2:QD  1:AD 2:AC 0:TD"
TAKES_2 = ["AH KH 9D TD 9C", "AD KD TC 9S TS", "AC QD QC JS QS"]
TAKES_2_PLAY = "0:AH 1:9S 2:JS  0:KH 1:TS 2:QS  0:9D 1:KD 2:QD  1:AD 2:QC 0:TD  1:TC 2:AC 0:9C"


def test_003_three_two_and_no_tricks_score_3_and_minus_5_twice() -> None:
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
    hand = deal(PROFILES["cutthroat"], hands, "", dealer=2)
    run(hand, "1:keep 2:keep 0:keep 0:bid:3 1:pass 2:pass 0:name:H 1:stay 2:stay")
    play(hand, cards)
    assert hand.result()["deltas"] == deltas


def test_004_at_5_or_less_dropping_is_not_legal() -> None:
    hand = deal(PROFILES["cutthroat"], TAKES_4, "", dealer=2, scores=[15, 5, 6])
    run(hand, "1:keep 2:keep 0:keep 0:bid:3 1:pass 2:pass 0:name:H")
    assert hand.legal() == ["stay"]
    run(hand, "1:stay")
    assert hand.legal() == ["drop", "stay"]


# -- the profiles' own turns --------------------------------------------------------------------------------------


def test_a_club_turned_is_trump_without_a_maker_and_without_a_stay_round() -> None:
    for name in ("ohio", "dirty-clubs"):
        hand = deal(PROFILES[name], SUITS, "9C", dealer=3)
        assert (hand.phase, hand.seat, hand.trump, hand.maker) == ("play", 0, "C", None)
    assert deal(PROFILES["bucked"], SUITS, "9C", dealer=3).phase == "order"


def test_all_pass_twice() -> None:
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
    hand = deal(PROFILES["bucked"], [hand.replace("T", "10") for hand in SUITS], "9D", dealer=3)
    run(hand, "0:order 1:stay 2:stay 3:stay")
    assert "play:TC" in hand.legal()
    play(hand, "0:10C")


def test_a_deal_that_is_no_pack_is_refused() -> None:
    with pytest.raises(ValueError, match="pack"):
        Hand(PROFILES["ohio"], [hand.split() for hand in SUITS], ["9C", "9C", "9D", "9H"], 0, [25] * 4)
    with pytest.raises(ValueError, match="hands of 5"):
        deal(PROFILES["cutthroat"], SUITS, "", dealer=0)
    with pytest.raises(ValueError, match="scores"):
        deal(PROFILES["ohio"], SUITS, "", dealer=4)


def test_two_opening_passes_do_not_bind_the_third_seat_and_who_passed_may_bid() -> None:
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
    hand = run(deal(PROFILES["dirty-clubs"], SUITS, "9D", dealer=3), "0:pass 1:bid:5")
    assert hand.legal() == ["pass"]
    run(hand, "2:pass 3:pass")
    assert (hand.phase, hand.seat, hand.legal()) == ("name", 1, ["name:C", "name:D", "name:H", "name:S"])


# -- (3) house rules: trump and the stay round --------------------------------------------------------------------


def test_circuits_of_four_seats_end_at_three_passes_after_a_bid_or_four_without() -> None:
    rules = house("dirty-clubs", bid_circuits="many")
    hand = run(deal(rules, SUITS, "9D", dealer=3), "0:pass 1:pass 2:pass")
    assert hand.phase == "bid"
    hand = run(hand, "3:bid:2 0:pass 1:bid:3 2:pass 3:pass")
    assert (hand.phase, hand.seat) == ("bid", 0)
    assert run(hand, "0:pass").phase == "name"
    assert run(deal(rules, SUITS, "9D", dealer=3), "0:pass 1:pass 2:pass 3:pass").result()["redeal"]


def test_bids_range_from_bid_min_to_bid_max() -> None:
    hand = deal(house("dirty-clubs", bid_min=3, bid_max=4), SUITS, "9D", dealer=3)
    assert hand.legal() == ["bid:3", "bid:4", "pass"]


def test_all_pass_in_an_auction_may_mean_no_trump() -> None:
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
    hand = run(deal(house("ohio", no_trump=True), SUITS, "9D", dealer=3), "0:pass 1:pass 2:pass 3:pass")
    assert hand.legal() == ["name:C", "name:H", "name:NT", "name:S", "pass"]
    run(hand, "0:name:NT")
    assert (hand.trump, hand.maker, hand.phase, hand.seat) == ("NT", 0, "stay", 1)


def test_the_stay_round_may_start_at_the_dealers_left() -> None:
    rules = house("bucked", stay_from="dealer")
    run(deal(rules, SUITS, "9D", dealer=3), "0:pass 1:order 0:stay 2:stay 3:stay 0:play:AC")
    run(deal(rules, SUITS, "9D", dealer=3), "0:order 1:stay 2:stay 3:stay")


def test_who_may_not_drop_is_not_asked() -> None:
    hand = run(deal(house("ohio", may_drop=False), FOUR, "9H", dealer=3), "0:order 3:discard:9H")
    assert hand.phase == "play"
    assert play(hand, FOUR_PLAY).result()["deltas"] == [5, -2, -1, 5]


def test_forced_stay_compares_the_score_itself_whichever_way_scores_run() -> None:
    hand = deal(house("bucked", forced_stay=0), SUITS, "9D", dealer=3, scores=[9, 1, 0, -7])
    run(hand, "0:order")
    assert hand.legal() == ["drop", "stay"]
    run(hand, "1:drop")
    assert hand.legal() == ["stay"]
    run(hand, "2:stay")
    assert hand.legal() == ["stay"]


def test_the_maker_may_lead_in_any_house() -> None:
    assert (
        run(deal(house("bucked", lead="maker"), SUITS, "9D", dealer=3), "0:pass 1:order 2:stay 3:stay 0:stay").seat == 1
    )
    assert run(deal(PROFILES["bucked"], SUITS, "9D", dealer=3), "0:pass 1:order 2:stay 3:stay 0:drop").seat == 1
    assert run(deal(PROFILES["bucked"], SUITS, "9D", dealer=3), "0:pass 1:order 2:stay 3:stay 0:stay").seat == 0


def test_first_taker_ends_the_exchange() -> None:
    hand = run(deal(PROFILES["cutthroat"], TAKES_4, "JH JD JC 9H 9C", dealer=1), "0:keep 1:exchange")
    assert hand.phase == "bid"
    assert " ".join(hand.hands[1]) == "JH JD JC 9H 9C"


def test_exchange_every_passes_the_laid_down_hand_on() -> None:
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
    hand = run(deal(house("cutthroat", exchange="every"), TAKES_4, "", dealer=1), "0:keep 1:keep 2:keep")
    assert hand.phase == "bid"
    assert hand.hands == [held.split() for held in TAKES_4]


# -- house rules: the discard after the stay round ----------------------------------------------------------------

AFTER_STAY = house("ohio", discard="after_stay")


def test_the_dealer_may_discard_after_the_stay_round() -> None:
    hand = run(deal(AFTER_STAY, FOUR, "9H", dealer=3), "0:order 1:stay 2:stay 3:stay")
    assert (hand.phase, hand.seat) == ("discard", 3)
    assert hand.legal() == [f"discard:{card}" for card in ("9H", "JC", "KD", "QC", "QD", "TH")]
    assert play(run(hand, "3:discard:9H"), FOUR_PLAY).result()["deltas"] == [5, -2, -1, 5]


def test_a_dealer_who_makes_discards_after_the_stay_round() -> None:
    hand = run(deal(AFTER_STAY, FOUR, "9H", dealer=3), "0:pass 1:pass 2:pass 3:order 0:stay 1:drop 2:drop")
    assert (hand.phase, hand.seat) == ("discard", 3)
    assert run(hand, "3:discard:JC").phase == "play"


def test_a_dealer_who_dropped_or_was_left_alone_discards_nothing() -> None:
    dropped = run(deal(AFTER_STAY, FOUR, "9H", dealer=3), "0:order 1:stay 2:stay 3:drop")
    assert (dropped.phase, dropped.seat) == ("play", 0)
    alone = run(deal(AFTER_STAY, FOUR, "9H", dealer=3), "0:pass 1:pass 2:pass 3:order 0:drop 1:drop 2:drop")
    assert alone.result()["winners"] == [3]


def test_without_pick_up_the_upcard_stays_out() -> None:
    hand = run(deal(house("ohio", pick_up=False), FOUR, "9H", dealer=3), "0:order 1:stay 2:stay 3:stay")
    assert play(hand, FOUR_PLAY).result()["deltas"] == [5, -2, -1, 5]


# -- house rules: the score ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("base", "delta"), [("ohio", -2), ("bucked", 2)])
def test_drop_points_run_toward_the_target(base: str, delta: int) -> None:
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
    result = walkover(house("dirty-clubs", **different))
    assert result["stayed"] == [False, False, True, False]
    assert (result["tricks"], result["deltas"], result["winners"]) == (tricks, deltas, winners)


def test_a_walkover_is_worth_five_whatever_was_bid() -> None:
    hand = deal(PROFILES["cutthroat"], TAKES_4, "", dealer=2)
    run(hand, "1:exchange 0:bid:8 1:pass 2:pass 0:name:H 1:drop 2:drop")
    assert (hand.result()["tricks"], hand.result()["deltas"]) == ([5, 0, 0], [-5, 0, 0])


def test_needs_and_penalties_are_the_houses() -> None:
    rules = house("ohio", maker_needs=2, stayer_needs=2, maker_penalty=7, stayer_penalty=3)
    hand = run(deal(rules, FOUR, "9H", dealer=3), "0:order 3:discard:9H 1:stay 2:stay 3:stay")
    assert play(hand, FOUR_PLAY).result()["deltas"] == [-2, -2, 3, 3]
    rules = house("ohio", maker_needs=3, stayer_needs=0, maker_penalty=7)
    hand = run(deal(rules, FOUR, "9H", dealer=3), "0:order 3:discard:9H 1:stay 2:stay 3:stay")
    assert play(hand, FOUR_PLAY).result()["deltas"] == [7, -2, -1, 0]


def test_a_sweep_beats_every_total() -> None:
    rules = house("dirty-clubs", sweep_wins=True, drop_points=4)
    result = walkover(rules, scores=[2, 15, 15, 15])
    assert (result["scores"], result["winners"]) == ([-2, 11, 10, 11], [2])
    assert walkover(house("dirty-clubs", drop_points=4), scores=[2, 15, 15, 15])["winners"] == [0]


ALL_HEARTS = ["AH KH QH JH TH", "AD KD TC 9S TS", "QD TD QC JS QS"]


def test_a_sweep_wins_although_its_contract_of_six_failed() -> None:
    hand = deal(house("cutthroat", sweep_wins=True), ALL_HEARTS, "", dealer=2, scores=[15, 3, 3])
    run(hand, "1:keep 2:keep 0:keep 0:bid:6 1:pass 2:pass 0:name:H 1:stay 2:stay")
    play(hand, "0:JH 1:AD 2:QD  0:AH 1:KD 2:TD  0:KH 1:TC 2:QC  0:QH 1:9S 2:JS  0:TH 1:TS 2:QS")
    assert hand.result()["deltas"] == [5, 5, 5]
    assert hand.result()["winners"] == [0]


def test_a_stayer_may_sweep_too() -> None:
    hand = deal(house("cutthroat", sweep_wins=True), ALL_HEARTS, "", dealer=2)
    run(hand, "1:keep 2:keep 0:keep 0:pass 1:bid:1 2:pass 0:pass 1:name:H 2:stay 0:stay")
    play(hand, "1:AD 2:QD 0:TH  0:JH 1:KD 2:TD  0:AH 1:TC 2:QC  0:KH 1:9S 2:JS  0:QH 1:TS 2:QS")
    assert hand.result()["deltas"] == [-5, 5, 5]
    assert hand.result()["winners"] == [0]


# -- house rules: the end of the match ----------------------------------------------------------------------------


@pytest.mark.parametrize(("tie", "winners"), [("share", [0, 1]), ("eldest", [0]), ("play_on", [])])
def test_ties_at_the_target(tie: str, winners: list[int]) -> None:
    rules = house("stick-the-dealer", tie=tie)
    for scores, who in (([13, 13, 12, 0], winners), ([13, 14, 14, 0], [1]), ([12, 12, 13, 0], [])):
        hand = deal(rules, FOUR, "JH QH 9H TD", dealer=3, scores=scores)
        run(hand, "3:discard:JH 3:discard:QH 3:discard:9H 3:discard:TD 3:name:H")
        assert play(hand, FOUR_PLAY).result()["winners"] == who


@pytest.mark.parametrize(("tie", "winners"), [("share", [0, 3]), ("eldest", [3]), ("play_on", [])])
def test_ties_after_n_hands(tie: str, winners: list[int]) -> None:
    # The dealer is seat 1, so that seat 3 comes before seat 0.
    rules = house("dirty-clubs", tie=tie, hands=1, walkover="nothing")
    assert walkover(rules, scores=[13, 19, 19, 13])["winners"] == winners
    # Playing on, the match ends with the next hand that leaves no tie.
    assert walkover(rules, scores=[13, 19, 12, 13], hands_played=4)["winners"] == [2]


def test_after_n_hands_the_best_total_wins_and_the_target_is_ignored() -> None:
    rules = house("dirty-clubs", hands=3, drop_points=1)
    for hands_played, winners in ((0, []), (1, []), (2, [0]), (7, [0])):
        result = walkover(rules, scores=[1, 20, 9, 20], hands_played=hands_played)
        assert (result["scores"], result["winners"]) == ([0, 19, 4, 19], winners)
    assert walkover(rules, scores=[30, 31, 32, 33], hands_played=2)["winners"] == [2]


def test_with_target_in_hands_the_target_ends_the_match_too() -> None:
    rules = house("dirty-clubs", hands=3, target_in_hands=True)
    assert walkover(rules, scores=[15, 15, 5, 15])["winners"] == [2]
    assert walkover(rules, scores=[15, 15, 6, 15])["winners"] == []
    assert walkover(rules, scores=[15, 15, 20, 15], hands_played=2)["winners"] == [0, 1, 2, 3]


def test_a_sweep_wins_at_once_with_hands_too() -> None:
    assert walkover(house("dirty-clubs", hands=3, sweep_wins=True), scores=[1, 20, 40, 20])["winners"] == [2]


def test_a_redeal_ends_no_match() -> None:
    hand = deal(house("dirty-clubs", hands=3), SUITS, "9D", dealer=3, scores=[-1, 2, 3, 4], hands_played=2)
    assert run(hand, "0:pass 1:pass 2:pass 3:pass").result()["winners"] == []


# -- house rules: reneging ----------------------------------------------------------------------------------------

RENEGE = house("bucked-3", illegal_play="renege")
# Hearts trump. Seat 1 holds the right bower and a club beside it.
BOWER = ["AH KH QH AC 9D", "JH AD TC 9S TS", "QD TD QC JS QS"]


def test_without_the_house_rule_a_renege_is_refused() -> None:
    hand = run(deal(PROFILES["bucked-3"], BOWER, "9H", dealer=2), "0:order 1:stay 2:stay 0:play:AC")
    with pytest.raises(ValueError, match="not legal"):
        hand.act("play:JH")


def test_a_renege_costs_five_at_once_and_its_card_cannot_win() -> None:
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
    rules = house("bucked-3", illegal_play="renege", renege_penalty=8, stayer_needs=1, stayer_penalty=2)
    hand = run(deal(rules, BOWER, "9H", dealer=2), "0:order 1:stay 2:stay")
    # Seat 1 wins one trick, and a second; then it fails to follow clubs.
    play(hand, "0:9D 1:AD 2:QD  1:JH 2:JS 0:QH  1:9S 2:QS 0:AH  0:AC 1:TS")
    play(hand, "2:QC  0:KH 2:TD")
    assert hand.result()["tricks"] == [3, 2, 0]
    assert hand.result()["deltas"] == [3, -8, -2]


def test_if_the_maker_reneges_the_others_score_as_stayers() -> None:
    hand = deal(house("cutthroat", illegal_play="renege"), TAKES_2, "", dealer=2)
    run(hand, "1:keep 2:keep 0:keep 0:bid:2 1:pass 2:pass 0:name:H 1:stay 2:stay")
    # The maker has made its bid of two when it fails to follow clubs with TD.
    play(hand, "0:AH 1:9S 2:JS  0:KH 1:TS 2:QS  0:9D 1:KD 2:QD  1:TC 2:AC 0:TD  2:QC 1:AD")
    result = hand.result()
    assert (result["maker"], result["stayed"]) == (0, [True] * 3)
    assert (result["tricks"], result["deltas"]) == ([2, 1, 2], [5, -1, -2])


def test_the_last_remaining_seat_takes_the_rest_with_no_more_plays() -> None:
    hand = run(deal(RENEGE, BOWER, "9H", dealer=2), "0:order 1:stay 2:drop")
    play(hand, "0:9D 1:AD  1:9S 0:AH  0:AC 1:TS")
    assert hand.phase is None
    assert hand.result()["tricks"] == [4, 1, 0]
    assert hand.result()["deltas"] == [4, -5, 0]


def test_two_reneges_in_one_trick_leave_the_leader_alone() -> None:
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


# -- random hands -------------------------------------------------------------------------------------------------

HOUSES = [
    *PROFILES.values(),
    *(house(name, illegal_play="renege") for name in PROFILES),
    house("ohio", discard="after_stay", no_trump=True, stay_from="dealer", tie="eldest", drop_points=-1),
    house("ohio", all_pass="redeal", lead="maker", walkover="points", forced_stay=3, illegal_play="renege"),
    house("bucked", hands=1, tie="play_on", walkover="nothing", forced_clubs=True, target=15),
    house("bucked", start=-25, target=0, pick_up=True, discard="after_stay", stayer_needs=1),
    house("cutthroat", exchange="every", all_pass="no_trump", sweep_wins=True, tie="play_on"),
    house("dirty-clubs", bid_circuits="many", bid_min=1, bid_max=8, no_trump=True, hands=1, target_in_hands=True),
]


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_random_hands_replay_and_add_up(rules: Rules) -> None:
    rng = random.Random(7)
    for _ in range(200):
        record = json.loads(json.dumps(play_random(rules, rng)))
        assert load_rules(record["rules"]) == rules
        assert replay(record, rules) == []
        result, plays = record["result"], [step for step in record["steps"] if step["phase"] == "play"]
        reneges = [step for step in record["steps"] if step["action"] not in step["legal"]]
        assert not reneges or rules.illegal_play == "renege"
        assert all(step["phase"] == "play" and step["legal"] == sorted(step["legal"]) for step in reneges)
        walked_over = not result["redeal"] and not plays
        assert sum(result["tricks"]) == (0 if result["redeal"] or (walked_over and rules.walkover != "tricks") else 5)
        if plays and not reneges:
            assert len(plays) == 5 * sum(result["stayed"])
        for seat in range(rules.seats):
            assert result["scores"][seat] == record["scores"][seat] + result["deltas"][seat]
        for step in reneges:
            assert result["deltas"][step["seat"]] == -rules.toward * rules.renege_penalty


def test_random_hands_come_from_the_generator_alone() -> None:
    first, second = (play_random(PROFILES["ohio"], random.Random(3)) for _ in range(2))
    assert first == second
