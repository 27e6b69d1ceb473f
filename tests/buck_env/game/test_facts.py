"""Facts of a table that several parts ask for, in hands acted out."""

from __future__ import annotations

from typing import Any

import pytest
from worked import FOUR, FOUR_PLAY, SUITS, TAKES_4, deal, house, run

from buck_env import PROFILES, Rules
from buck_env.game.cards import CARDS, cards_in
from buck_env.game.facts import (
    exchange_place,
    held_or_played,
    needs,
    ordered,
    previous_taker,
    shown_beside,
    taken_up,
    upcard_taken,
)
from buck_env.game.table import NONE

pytestmark = pytest.mark.usefixtures("the_engine")

WIDOW = "JH JD JC 9H 9C"
EVERY = house("cutthroat", exchange="every")


def after(
    script: str, rules: Rules = PROFILES["ohio"], hands: list[str] = FOUR, top: str = "9H", dealer: int = 3
) -> Any:
    return run(deal(rules, hands, top, dealer), script)


def texts(mask: int) -> set[str]:
    return {CARDS[card] for card in cards_in(mask)}


@pytest.mark.parametrize(
    ("script", "by_order"),
    [
        ("0:pass", False),
        ("0:pass 1:order", True),
        ("0:pass 1:pass 2:pass 3:order", True),
        ("0:pass 1:pass 2:pass 3:pass 0:name:C", False),
    ],
)
def test_trump_made_in_the_first_circuit_is_by_order(script: str, by_order: bool) -> None:
    """RULES §5.1, §5.2."""
    hand = after(script)
    assert ordered(hand.record, hand.packed) == by_order
    assert upcard_taken(hand.record, hand.packed) == by_order


def test_an_upcard_ordered_is_taken_only_where_the_house_says_so_and_never_after_an_auction() -> None:
    """RULES §5.2."""
    hand = after("0:order", PROFILES["bucked"])
    assert (ordered(hand.record, hand.packed), upcard_taken(hand.record, hand.packed)) == (True, False)
    hand = after("0:bid:2 1:pass 2:pass 3:pass 0:name:H", PROFILES["dirty-clubs"], SUITS, "9D")
    assert not ordered(hand.record, hand.packed)


@pytest.mark.parametrize(("dealer", "places"), [(0, [1, 2, 0]), (1, [0, 1, 2]), (2, [2, 0, 1])])
def test_the_exchange_comes_to_the_dealers_right_then_to_the_dealer_then_to_its_left(
    dealer: int, places: list[int]
) -> None:
    """RULES §4.1."""
    hand = deal(EVERY, TAKES_4, WIDOW, dealer)
    assert [exchange_place(hand.record, hand.packed, seat) for seat in range(3)] == places


@pytest.mark.parametrize(
    ("script", "from_whom"),
    [
        ("", [NONE, NONE, NONE]),
        ("0:keep 1:keep", [NONE, NONE, NONE]),
        ("0:exchange", [NONE, 0, 0]),
        ("0:exchange 1:exchange", [NONE, 0, 1]),
        ("0:keep 1:exchange", [NONE, NONE, 1]),
    ],
)
def test_each_takes_from_the_last_who_took_and_the_first_from_the_widow(script: str, from_whom: list[int]) -> None:
    """RULES §4.1, §4.2."""
    hand = after(script, EVERY, TAKES_4, WIDOW, dealer=1)
    assert [previous_taker(hand.record, hand.packed, seat) for seat in range(3)] == from_whom


@pytest.mark.parametrize(
    ("profile", "to_any", "to_the_dealer"), [("ohio", 1, 1), ("stick-the-dealer", 0, 4), ("cutthroat", 0, 0)]
)
def test_so_many_cards_beside_the_hands_are_shown(profile: str, to_any: int, to_the_dealer: int) -> None:
    """RULES §13.1, §13.3, §13.4, §13.5."""
    packed = PROFILES[profile].packed()[0]
    assert [shown_beside(packed, deals, False) for deals in (False, True)] == [to_any, to_the_dealer]
    assert {shown_beside(PROFILES["cutthroat"].packed()[0], deals, True) for deals in (False, True)} == {5}


def test_what_a_seat_held_is_known_after_it_has_played() -> None:
    hand = after("0:order 3:discard:9H 1:stay 2:stay 3:stay")
    play = FOUR_PLAY.replace(":", ":play:").split()
    for word in play[:10]:
        run(hand, word)
    assert [texts(held_or_played(hand.record, seat)) for seat in range(4)] == [set(cards.split()) for cards in FOUR]


def test_a_dealer_takes_up_the_upcard_or_the_buck_and_others_nothing() -> None:
    """RULES §2.4, §5.2."""
    hand = after("0:order 3:discard:TH")
    assert [texts(taken_up(hand.record, hand.packed, seat)) for seat in range(4)] == [set(), set(), set(), {"9H"}]
    hand = after("0:pass")
    assert not any(taken_up(hand.record, hand.packed, seat) for seat in range(4))
    hand = after("3:discard:9C", PROFILES["stick-the-dealer"], SUITS, "9S 9C 9H 9D")
    assert texts(taken_up(hand.record, hand.packed, 3)) == {"9S", "9C", "9H", "9D"}
    assert not any(taken_up(hand.record, hand.packed, seat) for seat in range(3))


def test_a_taker_takes_up_five_cards_and_they_stay_known_when_played() -> None:
    """RULES §4.1, §4.2."""
    hand = after("0:exchange 1:keep 2:exchange", EVERY, TAKES_4, WIDOW, dealer=1)
    laid_by_0 = set(TAKES_4[0].split())
    expected = [set(WIDOW.split()), set(), laid_by_0]
    assert [texts(taken_up(hand.record, hand.packed, seat)) for seat in range(3)] == expected
    run(hand, "2:bid:2 0:pass 1:pass 2:name:H 0:stay 1:stay 2:play:AH 0:play:JH")
    assert [texts(taken_up(hand.record, hand.packed, seat)) for seat in range(3)] == expected


def test_the_maker_needs_what_it_undertook_and_others_what_stayers_need() -> None:
    """RULES §10.4, §11.2."""
    rules = house("dirty-clubs", stayer_needs=2)
    hand = after("0:bid:3 1:bid:4 2:pass 3:pass 1:name:H", rules, SUITS, "9D")
    assert [needs(hand.record, hand.packed, seat) for seat in range(4)] == [2, 4, 2, 2]
    hand = after("0:order", house("bucked", maker_needs=2, stayer_needs=3))
    assert [needs(hand.record, hand.packed, seat) for seat in range(4)] == [2, 3, 3, 3]
