"""The tables that know the bowers, and cards as text (RULES §1.1 to §1.6)."""

from __future__ import annotations

import pytest

from buck_env.game.cards import CARDS, FOLLOW, NO_TRUMP, STRENGTH, SUIT, SUITS, card_id, cards_in, mask_of


def by_strength(trump: int, led: int) -> str:
    able = [card for card in range(24) if STRENGTH[trump, led, card]]
    return " ".join(CARDS[card] for card in sorted(able, key=lambda card: -int(STRENGTH[trump, led, card])))


def test_trumps_rank_from_the_right_bower_down_and_plain_suits_from_the_ace() -> None:
    """RULES §1.3, §1.4, §1.5, §1.6."""
    assert by_strength(SUITS.index("H"), SUITS.index("D")) == "JH JD AH KH QH TH 9H AD KD QD TD 9D"
    assert by_strength(SUITS.index("S"), SUITS.index("H")) == "JS JC AS KS QS TS 9S AH KH QH JH TH 9H"
    assert by_strength(NO_TRUMP, SUITS.index("C")) == "AC KC QC JC TC 9C"


def test_left_bower_follows_trump() -> None:
    """RULES §1.3."""
    hearts, diamonds = SUITS.index("H"), SUITS.index("D")
    bower = card_id("JD")
    assert SUIT[hearts, bower] == hearts
    assert FOLLOW[hearts, hearts] >> bower & 1
    assert not FOLLOW[hearts, diamonds] >> bower & 1
    assert SUIT[NO_TRUMP, bower] == diamonds


@pytest.mark.parametrize("trump", range(5))
def test_every_card_belongs_to_one_suit(trump: int) -> None:
    """RULES §1.1."""
    assert sum(int(mask) for mask in FOLLOW[trump]) == (1 << 24) - 1


def test_a_card_is_its_rank_and_its_suit_and_a_ten_is_read_both_ways() -> None:
    """RULES §1.1, §1.2."""
    assert [card_id(text) for text in CARDS] == list(range(24))
    assert card_id("10H") == card_id("TH")
    assert cards_in(mask_of([3, 7])) == [3, 7]
    with pytest.raises(ValueError, match="is not a card"):
        card_id("1H")
