"""The text of a table: every phase of every game, within 80 columns."""

from __future__ import annotations

import re

import numpy as np
import pytest
from walks import HOUSES, some, viewers, walk

from buck_env.base.errors import BuckError
from buck_env.drawing.text import table_text
from buck_env.game import engine
from buck_env.game.table import NONE
from buck_env.records import deal_table

PHASES = {
    "ohio": "order call discard stay play over",
    "stick-the-dealer": "discard name play over",
    "dirty-clubs": "bid name stay play over",
    "bucked": "order call stay play over",
    "bucked-3": "order call stay play over",
    "cutthroat": "exchange bid name stay play over",
}


def all_cards() -> set[str]:
    return {rank + suit for suit in "♣♦♥♠" for rank in "9TJQKA"}


@pytest.mark.parametrize("house", PHASES)
def test_every_phase_of_a_profile_is_met(house: str) -> None:
    assert set(walk(house)) == set(PHASES[house].split())


@pytest.mark.parametrize("house", HOUSES)
def test_text_fits_the_terminal_and_names_turn_and_scores(house: str) -> None:
    for table in some(house, 8):
        for viewer in viewers(house):
            text = table_text(table, HOUSES[house], viewer)
            assert max(map(len, text.splitlines())) <= 80
            assert text == table_text(table.copy(), HOUSES[house], viewer)
            if table["seat"][0] != NONE:
                assert f"turn      seat {table['seat'][0]} to " in text
            for seat in range(HOUSES[house].seats):
                assert re.search(rf"^[ >*] {seat}( D)? +{table['scores'][0, seat]} ", text, re.MULTILINE)


@pytest.mark.parametrize("house", HOUSES)
def test_open_text_shows_every_card(house: str) -> None:
    for table in some(house, 8):
        text = table_text(table, HOUSES[house])
        assert set(re.findall(r"[9TJQKA][♣♦♥♠]", text)) == all_cards()
        assert "??" not in text


def test_colour_marks_the_red_suits_and_nothing_else() -> None:
    for table in some("ohio", 3):
        plain, coloured = (table_text(table, HOUSES["ohio"], colour=colour) for colour in (False, True))
        assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
        assert set(re.findall(r"\x1b\[31m(?:.)?([♦♥])\x1b\[0m", coloured)) == {"♦", "♥"}
        assert coloured.count("\x1b[31m") == plain.count("♦") + plain.count("♥")


def test_text_of_an_auction() -> None:
    rules = HOUSES["cutthroat"]
    table = deal_table(rules, np.arange(24, dtype=np.int8), 0, [15, 9, 4])
    for action in (42, 41, 31, 24, 34):  # 2 keeps, 0 exchanges; 1 bids one, 2 passes, 0 bids four
        engine.apply(table[0], rules.packed()[0], action)
    assert table_text(table, rules, 1).splitlines() == [
        "cutthroat · hand 1 · 15 down to 0 · seen by seat 1",
        "turn      seat 1 to bid or pass",
        "trump     seat 0 bids 4",
        "beside    widow taken up: ?? ?? ?? ?? ?? · laid down by 0: ?? ?? ?? ?? ?? ·",
        "          unused: ?? ?? ?? ??",
        "seat      score  tricks  part   hand",
        "  0 D        15       0  bid 4  ?? ?? ?? ?? ??",
        "> 1           9       0  -      A♣ 9♦ T♦ J♦ Q♦",
        "  2           4       0  -      ?? ?? ?? ?? ??",
        "exchange  2 keep · 0 exchange",
        "bid       1 bid 1 · 0 bid 4",
    ]


def test_a_renege_is_named() -> None:
    reneged = [table for table in walk("reneges")["play"] if table["reneged"][0]]
    assert reneged
    for table in reneged:
        seat = int(table["reneged"][0]).bit_length() - 1
        text = table_text(table, HOUSES["reneges"])
        assert re.search(rf"^trick .*{seat} .. reneges", text, re.MULTILINE)
        assert re.search(rf"^  {seat}.* reneged ", text, re.MULTILINE)


def test_impossible_viewers_are_refused() -> None:
    table = walk("bucked-3")["order"][0]
    for viewer in (-1, 3):
        with pytest.raises(BuckError, match=r"viewer: -?\d is no seat; allowed: 0 to 2"):
            table_text(table, HOUSES["bucked-3"], viewer)
    with pytest.raises(BuckError, match=r"shape \(2,\)"):
        table_text(np.concatenate([table, table]), HOUSES["bucked-3"])
