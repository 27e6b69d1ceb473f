"""Text and picture of a table: every phase of every game, nothing hidden shows, nothing overlaps."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from buck_env.base.errors import BuckError
from buck_env.drawing import picture, render
from buck_env.drawing.render import Shown, show_window, table_picture, table_text
from buck_env.game import engine
from buck_env.game.cards import cards_in, mask_of
from buck_env.game.hidden import hide
from buck_env.game.rules import PROFILES, Rules, load_rules
from buck_env.game.table import NONE, Phase
from buck_env.records import deal_table

HOUSES: dict[str, Rules] = {
    **PROFILES,
    "reneges": load_rules({"base": "bucked", "illegal_play": "renege"}),
    "every exchange": load_rules({"base": "cutthroat", "exchange": "every", "forced_stay": None}),
    "late discard": load_rules({"base": "ohio", "discard": "after_stay", "no_trump": True, "hands": 12}),
    "ohio of three": load_rules({"base": "ohio", "seats": 3}),
    "stick of three": load_rules({"base": "stick-the-dealer", "seats": 3}),
    "long auction": load_rules({"base": "dirty-clubs", "bid_circuits": "many", "bid_min": 1, "bid_max": 8}),
}
PHASES = {
    "ohio": "order call discard stay play over",
    "stick-the-dealer": "discard name play over",
    "dirty-clubs": "bid name stay play over",
    "bucked": "order call stay play over",
    "bucked-3": "order call stay play over",
    "cutthroat": "exchange bid name stay play over",
}


@cache
def walk(house: str) -> dict[str, list[np.ndarray]]:
    """Tables of 60 random hands by phase."""
    rules = HOUSES[house]
    packed = rules.packed()[0]
    generator = np.random.default_rng(7)
    seen: dict[str, list[np.ndarray]] = defaultdict(list)
    for number in range(60):
        pack = generator.permutation(24).astype(np.int8)
        scores = generator.integers(-12, 40, 4).tolist()
        table = deal_table(rules, pack, int(generator.integers(rules.seats)), scores, number % 9)
        while table["phase"][0] != Phase.OVER:
            seen[phase_of(table)].append(table.copy())
            actions = [a for a in range(43) if int(engine.permitted(table[0], packed)) >> a & 1]
            engine.apply(table[0], packed, int(generator.choice(actions)))
        seen["over"].append(table)
    return seen


def phase_of(table: np.ndarray) -> str:
    return Phase(int(table["phase"][0])).name.lower()


def some(house: str, of_a_phase: int) -> list[np.ndarray]:
    """A few tables of each phase."""
    return [
        table for tables in walk(house).values() for table in tables[:: max(1, len(tables) // of_a_phase)][:of_a_phase]
    ]


def viewers(house: str) -> list[int | None]:
    return [None, *range(HOUSES[house].seats)]


def all_cards() -> set[str]:
    return {rank + suit for suit in "♣♦♥♠" for rank in "9TJQKA"}


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


# -- text ---------------------------------------------------------------------------------------------------------


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


def test_colour_marks_the_red_suits_and_nothing_else() -> None:
    for table in some("ohio", 3):
        plain, coloured = (table_text(table, HOUSES["ohio"], colour=colour) for colour in (False, True))
        assert re.sub(r"\x1b\[\d+m", "", coloured) == plain
        assert set(re.findall(r"\x1b\[31m(?:.)?([♦♥])\x1b\[0m", coloured)) == {"♦", "♥"}
        assert coloured.count("\x1b[31m") == plain.count("♦") + plain.count("♥")


def test_tricks_go_to_the_seat_the_engine_gives_them() -> None:
    for house in HOUSES:
        for table in walk(house)["over"]:
            shown = Shown(table, HOUSES[house])
            if len(shown.tricks) == 5 and all(trick.over for trick in shown.tricks):
                taken = [trick.ahead for trick in shown.tricks]
                assert shown.tricks_taken == [taken.count(seat) for seat in range(HOUSES[house].seats)]


def test_history_tells_every_decision_before_the_play() -> None:
    table = deal_table(HOUSES["bucked"], np.arange(24, dtype=np.int8), 1, [0, 0, 0, 0])
    packed = HOUSES["bucked"].packed()[0]
    for action in (24, 24, 24, 24, 24, 28, 39, 40):  # four pass, one passes again, 3 names hearts, 0 stays, 1 drops
        engine.apply(table[0], packed, action)
    assert Shown(table, HOUSES["bucked"]).history == [
        ("order", ["2 pass", "3 pass", "0 pass", "1 pass"]),
        ("call", ["2 pass", "3 name hearts"]),
        ("stay", ["0 stay", "1 drop"]),
    ]


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


def test_a_renege_is_told() -> None:
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


# -- what is hidden stays hidden ----------------------------------------------------------------------------------


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


# -- pictures -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", HOUSES)
def test_picture_is_the_same_every_time(house: str) -> None:
    for number, table in enumerate(some(house, 1)):
        viewer = viewers(house)[number % len(viewers(house))]
        first = table_picture(table, HOUSES[house], viewer)
        assert first.shape == (picture.HEIGHT, picture.WIDTH, 3)
        assert first.dtype == np.uint8
        assert first.tobytes() == table_picture(table.copy(), HOUSES[house], viewer).tobytes()


@pytest.mark.parametrize("house", HOUSES)
def test_nothing_in_a_picture_is_covered_or_cut_off(house: str, monkeypatch: pytest.MonkeyPatch) -> None:
    texts: list[tuple[str, picture.Box]] = []
    cards: list[tuple[str, picture.Box]] = []
    text, card = picture._Canvas.text, picture._Canvas.card

    def note_text(self: Any, at: Any, words: str, size: int, *rest: Any, limit: float = 1e9, **more: Any) -> None:
        text(self, at, words, size, *rest, limit=limit, **more)
        if self.image.width == picture.WIDTH * picture.SCALE:
            width = min(picture._width(words, size), limit)
            left = at[0] - {"l": 0.0, "m": width / 2, "r": width}[rest[1][0]]
            texts.append((words, (left, at[1] - size * 0.45, left + width, at[1] + size * 0.45)))

    def note_card(self: Any, number: int, corner: Any, size: Any, *rest: Any) -> None:
        card(self, number, corner, size, *rest)
        cards.append(("a card", (*corner, corner[0] + size[0], corner[1] + size[1])))

    monkeypatch.setattr(picture._Canvas, "text", note_text)
    monkeypatch.setattr(picture._Canvas, "card", note_card)
    for number, table in enumerate(some(house, 4)):
        texts.clear()
        cards.clear()
        table["scores"][0, :2] = (-1_000_000_000, 1_000_000_000)  # the longest there are
        table_picture(table, HOUSES[house], viewers(house)[number % len(viewers(house))])
        for _, (left, top, right, bottom) in [*texts, *cards]:
            assert left >= 0
            assert top >= 0
            assert right <= picture.WIDTH
            assert bottom <= picture.HEIGHT
        for (words, a), (other, b) in [*combinations(texts, 2), *((t, c) for t in texts for c in cards)]:
            apart = a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]
            assert apart, f"{words!r} {a} and {other!r} {b} in {table_text(table, HOUSES[house])}"


def test_every_card_has_a_face_of_its_own() -> None:
    for size in (picture.LARGE, picture.MIDDLE, picture.SMALL, picture.TINY):
        faces = {picture._card(card, size).tobytes() for card in range(-2, 24) if card != NONE}
        assert len(faces) == 25


def test_the_seat_to_act_is_lit_and_a_dropped_one_is_not() -> None:
    table = next(table for table in walk("ohio")["play"] if int(table["dropped"][0]).bit_count() == 1)
    dropped = int(table["dropped"][0]).bit_length() - 1
    seen = table_picture(table, HOUSES["ohio"], int(table["seat"][0]))
    gold = (seen == np.array(picture.GOLD)).all(axis=2)
    x, y = picture.PLACES[4][0].plate
    assert gold[int(y) + 1, int(x)]
    place = picture.PLACES[4][(dropped - int(table["seat"][0])) % 4]
    assert not gold[int(place.plate[1]) + 1, int(place.plate[0])]


# -- the window ---------------------------------------------------------------------------------------------------


def test_without_a_display_the_text_is_printed_and_noted_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("matplotlib.pyplot.get_backend", lambda: "agg")
    render._note_no_display.cache_clear()
    for _ in range(2):
        show_window(np.zeros((4, 6, 3), np.uint8), "the table")
    out, err = capsys.readouterr()
    assert out == "the table\nthe table\n"
    assert err.count("no display") == 1


def test_one_window_serves_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib.pyplot as plt

    monkeypatch.setattr(plt, "get_backend", lambda: "TkAgg")
    monkeypatch.setattr(plt, "show", lambda block: None)
    monkeypatch.setattr(plt, "pause", lambda seconds: None)
    plt.switch_backend("agg")
    before = len(plt.get_fignums())
    for shade in (0, 255):
        show_window(np.full((640, 960, 3), shade, np.uint8))
    assert len(plt.get_fignums()) == before + 1
    figure = plt.figure("Buck Euchre")
    assert [len(axes.images) for axes in figure.axes] == [1]
    assert np.asarray(figure.axes[0].images[0].get_array()).min() == 255
    plt.close(figure)
