"""What a viewer is shown of a table: as many cards as there are, every decision, no card that it may not know."""

from __future__ import annotations

import numpy as np
import pytest
from walks import HOUSES, some, walk

from buck_env.drawing.history import history
from buck_env.drawing.picture import table_picture
from buck_env.drawing.shown import Shown
from buck_env.drawing.text import table_text
from buck_env.game import engine
from buck_env.game.cards import cards_in, mask_of
from buck_env.game.hidden import hide
from buck_env.game.rules import Rules
from buck_env.game.table import NONE
from buck_env.records import deal_table


@pytest.mark.parametrize("house", HOUSES)
def test_a_seat_sees_as_many_cards_as_there_are(house: str) -> None:
    for table in some(house, 8):
        for viewer in range(HOUSES[house].seats):
            shown = Shown(table, HOUSES[house], viewer)
            assert [len(hand) for hand in shown.hands] == [
                int(hand).bit_count() for hand in table["hand"][0, : len(shown.hands)]
            ]
            assert shown.hands[viewer] == cards_in(table["hand"][0, viewer])


@pytest.mark.parametrize("house", HOUSES)
def test_a_table_already_hidden_shows_the_same_hands(house: str) -> None:
    for table in some(house, 5):
        hidden = hide(table, np.array([1]), HOUSES[house])
        assert Shown(hidden, HOUSES[house]).hands == Shown(table, HOUSES[house], 1).hands


def test_tricks_go_to_the_seat_the_engine_gives_them() -> None:
    for house in HOUSES:
        for table in walk(house)["over"]:
            shown = Shown(table, HOUSES[house])
            if len(shown.tricks) == 5 and all(trick.over for trick in shown.tricks):
                taken = [trick.ahead for trick in shown.tricks]
                assert shown.tricks_taken == [taken.count(seat) for seat in range(HOUSES[house].seats)]


def test_history_holds_every_decision_before_the_play() -> None:
    table = deal_table(HOUSES["bucked"], np.arange(24, dtype=np.int8), 1, [0, 0, 0, 0])
    packed = HOUSES["bucked"].packed()[0]
    for action in (24, 24, 24, 24, 24, 28, 39, 40):  # four pass, one passes again, 3 names hearts, 0 stays, 1 drops
        engine.apply(table[0], packed, action)
    assert history(Shown(table, HOUSES["bucked"])) == [
        ("order", ["2 pass", "3 pass", "0 pass", "1 pass"]),
        ("call", ["2 pass", "3 name hearts"]),
        ("stay", ["0 stay", "1 drop"]),
    ]


def shuffled_behind(table: np.ndarray, rules: Rules, viewer: int, generator: np.random.Generator) -> np.ndarray:
    """The same table to the viewer, the cards it does not see in other places."""
    seen = hide(table, np.array([viewer]), rules)[0]
    known = {*cards_in(seen.hand[viewer]), *cards_in(seen.laid[viewer]), *(seen.plays[: seen.played] & 31).tolist()}
    known |= {*seen.rest.tolist(), *seen.discards.tolist()}
    unseen = [card for card in range(24) if card not in known]
    moved = np.arange(24)
    moved[unseen] = generator.permutation(unseen)
    other = table.copy()
    t = other[0]
    for masks in (t.hand, t.laid):
        for seat in range(4):
            masks[seat] = mask_of(moved[cards_in(masks[seat])].tolist())
    for cards in (t.rest, t.discards):
        cards[cards != NONE] = moved[cards[cards != NONE]]
    return other


@pytest.mark.parametrize("house", HOUSES)
def test_text_and_picture_do_not_depend_on_hidden_cards(house: str) -> None:
    rules, generator = HOUSES[house], np.random.default_rng(11)
    differ = 0
    for number, table in enumerate(some(house, 2)):
        viewer = number % rules.seats
        other = shuffled_behind(table, rules, viewer, generator)
        assert hide(other, np.array([viewer]), rules).tobytes() == hide(table, np.array([viewer]), rules).tobytes()
        assert table_text(other, rules, viewer) == table_text(table, rules, viewer)
        assert table_picture(other, rules, viewer).tobytes() == table_picture(table, rules, viewer).tobytes()
        differ += table_text(other, rules) != table_text(table, rules)
    assert differ
