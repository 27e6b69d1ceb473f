"""Cards as places: the highest place that follows or trumps wins."""

from __future__ import annotations

import numpy as np
import pytest

from agents.search.places import FOLLOW_AT, PLACE, SUIT_OF_PLACE, highest, places_of
from buck_env.game.cards import NO_TRUMP, STRENGTH, SUIT, card_id, mask_of


@pytest.mark.parametrize("trump", range(5))
def test_every_card_has_a_place_of_its_own_in_its_suit(trump: int) -> None:
    assert sorted(PLACE[trump]) == list(range(24))
    for card in range(24):
        at = PLACE[trump, card]
        assert SUIT_OF_PLACE[trump, at] == SUIT[trump, card]
        assert FOLLOW_AT[trump, SUIT[trump, card]] >> at & 1
    assert [int(mask).bit_count() for mask in FOLLOW_AT[trump]] == [
        int((SUIT[trump] == suit).sum()) for suit in range(4)
    ]


@pytest.mark.parametrize("trump", range(5))
def test_of_two_cards_of_a_suit_and_of_trumps_and_others_the_stronger_is_higher(trump: int) -> None:
    for one, other in np.ndindex(24, 24):
        suit = SUIT[trump, one]
        if SUIT[trump, other] == suit or (trump != NO_TRUMP and suit == trump):
            assert (PLACE[trump, one] > PLACE[trump, other]) == (
                STRENGTH[trump, suit, one] > STRENGTH[trump, suit, other]
            )


def test_both_bowers_are_on_top_and_a_set_is_moved_whole() -> None:
    hearts = 2
    top = [PLACE[hearts, card_id(card)] for card in ("JH", "JD", "AH")]
    assert top == [23, 22, 21]
    cards = mask_of(card_id(card) for card in ("JH", "JD", "9C"))
    assert places_of(cards, hearts) == 1 << 23 | 1 << 22 | 1 << PLACE[hearts, card_id("9C")]
    assert places_of(0, hearts) == 0


@pytest.mark.parametrize("places", [1, 2, 3, 1 << 11, 1 << 12, 1 << 23 | 1, (1 << 24) - 1])
def test_the_highest_place_is_found_in_either_half(places: int) -> None:
    assert highest(places) == places.bit_length() - 1
