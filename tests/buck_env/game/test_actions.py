"""The 43 actions, and their text both ways."""

from __future__ import annotations

import pytest

from buck_env.game.actions import action_id, action_text
from buck_env.game.cards import CARDS

OTHERS = {
    24: "pass", 25: "order", 26: "name:C", 27: "name:D", 28: "name:H", 29: "name:S", 30: "name:NT", 31: "bid:1",
    38: "bid:8", 39: "stay", 40: "drop", 41: "exchange", 42: "keep",
}  # fmt: skip


def test_the_number_of_an_action_is_its_for_ever() -> None:
    assert [action_text(action) for action in OTHERS] == list(OTHERS.values())
    assert [action_id(text) for text in OTHERS.values()] == list(OTHERS)
    assert [action_id(card) for card in CARDS] == list(range(24))


def test_a_card_says_whether_it_is_played_or_discarded() -> None:
    nine_of_hearts = 12
    assert action_text(nine_of_hearts) == "9H"
    assert action_text(nine_of_hearts, "play") == "play:9H"
    assert action_text(nine_of_hearts, "discard") == "discard:9H"
    assert action_text(24, "discard") == "pass"


def test_every_text_is_read_back() -> None:
    for phase in (None, "play", "discard"):
        assert [action_id(action_text(action, phase)) for action in range(43)] == list(range(43))


def test_a_ten_is_read_both_ways() -> None:
    """RULES §1.2."""
    assert {action_id(text) for text in ("TH", "10H", "play:TH", "play:10H", "discard:10H")} == {13}


@pytest.mark.parametrize("text", ["", "bid:0", "bid:9", "name:X", "play:stay", "play:1H", "10X", "STAY", 24, None])
def test_what_is_no_action_is_named(text: object) -> None:
    with pytest.raises(ValueError, match=r"is not an? (action|card)"):
        action_id(text)  # type: ignore[arg-type]


@pytest.mark.parametrize("action", [-1, 43])
def test_a_number_of_no_action_is_refused(action: int) -> None:
    with pytest.raises(ValueError, match=rf"{action} is not one of 0\.\.42"):
        action_text(action)
