"""The picture of a table: the same every time, nothing covered or cut off."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from walks import HOUSES, some, viewers, walk

from buck_env.drawing import picture
from buck_env.drawing.canvas import GOLD, SCALE, Box, Canvas, text_width
from buck_env.drawing.cards import LARGE, MIDDLE, SMALL, TINY, card_face
from buck_env.drawing.picture import table_picture
from buck_env.drawing.text import table_text
from buck_env.game.table import NONE


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
    texts: list[tuple[str, Box]] = []
    cards: list[tuple[str, Box]] = []
    text, card = Canvas.text, picture.draw_card

    def note_text(self: Any, at: Any, words: str, size: int, *rest: Any, limit: float = 1e9, **more: Any) -> None:
        text(self, at, words, size, *rest, limit=limit, **more)
        if self.image.width == picture.WIDTH * SCALE:
            width = min(text_width(words, size), limit)
            left = at[0] - {"l": 0.0, "m": width / 2, "r": width}[rest[1][0]]
            texts.append((words, (left, at[1] - size * 0.45, left + width, at[1] + size * 0.45)))

    def note_card(self: Any, number: int, corner: Any, size: Any, *rest: Any) -> None:
        card(self, number, corner, size, *rest)
        cards.append(("a card", (*corner, corner[0] + size[0], corner[1] + size[1])))

    monkeypatch.setattr(Canvas, "text", note_text)
    monkeypatch.setattr(picture, "draw_card", note_card)
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
    for size in (LARGE, MIDDLE, SMALL, TINY):
        faces = {card_face(card, size).tobytes() for card in range(-2, 24) if card != NONE}
        assert len(faces) == 25


def test_the_seat_to_act_is_lit_and_a_dropped_one_is_not() -> None:
    table = next(table for table in walk("ohio")["play"] if int(table["dropped"][0]).bit_count() == 1)
    dropped = int(table["dropped"][0]).bit_length() - 1
    seen = table_picture(table, HOUSES["ohio"], int(table["seat"][0]))
    gold = (seen == np.array(GOLD)).all(axis=2)
    x, y = picture.PLACES[4][0].plate
    assert gold[int(y) + 1, int(x)]
    place = picture.PLACES[4][(dropped - int(table["seat"][0])) % 4]
    assert not gold[int(place.plate[1]) + 1, int(place.plate[0])]
