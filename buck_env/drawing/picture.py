"""The picture of a table: what `Shown` tells, drawn at twice the size and reduced.

Lengths are in pixels of the finished picture; `_Canvas` alone knows of the scale. Suits are drawn, not typed, and the
font is Pillow's own, so a picture is the same on every machine. Everything that does not change is drawn once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from math import ceil, cos, floor, pi, sin
from typing import NamedTuple

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from buck_env.drawing.render import TRUMP_WORDS, Group, Shown
from buck_env.game.cards import NO_TRUMP, RANKS
from buck_env.game.table import HIDDEN, NONE

__all__ = ["HEIGHT", "WIDTH", "draw"]

WIDTH, HEIGHT = 960, 640
SCALE = 2

Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
Size = tuple[int, int]

RED, BLACK, PAPER = (200, 30, 45), (28, 30, 36), (252, 251, 246)
INK, FAINT, GOLD = (240, 238, 226), (170, 196, 178), (246, 200, 84)
FELT, FELT_EDGE, ROOM, WOOD = (34, 112, 76), (16, 66, 46), (22, 26, 30), (92, 58, 34)
PLATE, PLATE_OUT, BACK = (14, 42, 34), (40, 62, 52), (38, 66, 128)
GOOD, BAD = (132, 220, 140), (255, 128, 118)
PILLS: dict[str, Colour] = {
    "winner": GOLD, "maker": (214, 160, 40), "bid": (214, 160, 40), "stayed": (70, 160, 100),
    "dropped": (110, 118, 116), "reneged": (190, 54, 54), "passed": (92, 112, 122),
    "exchanged": (78, 120, 190), "kept": (92, 112, 122),
}  # fmt: skip

LARGE, MIDDLE, SMALL, TINY = (68, 95), (60, 84), (52, 73), (44, 62)
FADED, PAST = 0.6, 0.35
"""How much of the felt is in the cards of a seat that is out, and of a trick that is over."""
PLATE_SIZE = (204, 50)


class Place(NamedTuple):
    """Where a seat's things are: plate and hand by their centre and top, the dealer's by a side and top, its card."""

    plate: tuple[float, float]
    hand: tuple[float, float]
    size: Size
    spread: float  # the widest a hand may be
    beside: tuple[float, float]
    align: int  # what lies beside begins (0) or ends (1) there
    card: tuple[float, float]  # the centre of its card in the trick


_BOTTOM = Place((480, 574), (480, 470), LARGE, 400, (932, 488), 1, (480, 384))
_TOP = Place((480, 58), (480, 116), SMALL, 216, (932, 84), 1, (480, 256))
_LEFT = Place((130, 214), (130, 272), SMALL, 204, (28, 374), 0, (396, 320))
_RIGHT = Place((830, 214), (830, 272), SMALL, 204, (932, 374), 1, (564, 320))
_HIGH_LEFT, _HIGH_RIGHT = (place._replace(card=(place.card[0] + dx, 288)) for place, dx in ((_LEFT, 24), (_RIGHT, -24)))
PLACES = {
    4: (_BOTTOM, _LEFT, _TOP, _RIGHT),
    3: (_BOTTOM, _HIGH_LEFT, _HIGH_RIGHT),
}
"""By the number of seats, clockwise from the bottom."""


def draw(shown: Shown) -> np.ndarray:
    """The picture of a table, (HEIGHT, WIDTH, 3) uint8."""
    canvas = _Canvas(_room().copy())
    seats = shown.rules.seats
    places = [PLACES[seats][(seat - (shown.viewer or 0)) % seats] for seat in range(seats)]
    _draw_title(canvas, shown)
    _draw_trump(canvas, shown)
    _draw_history(canvas, shown)
    for seat, place in enumerate(places):
        _draw_hand(canvas, shown, seat, place)
        _draw_plate(canvas, shown, seat, place)
    _draw_beside(canvas, shown.beside, places[shown.dealer])
    _draw_trick(canvas, shown, places)
    canvas.pill((480, 448), shown.prompt[0].upper() + shown.prompt[1:], GOLD, size=17, anchor="mm")
    return np.array(canvas.image.reduce(SCALE))


# --- The table --------------------------------------------------------------------------------------------------------


def _draw_title(canvas: _Canvas, shown: Shown) -> None:
    eyes = "all hands open" if shown.viewer is None else f"seen by seat {shown.viewer}"
    canvas.text((20, 17), shown.title, 15, INK, "lm", limit=740)
    canvas.text((WIDTH - 20, 17), eyes, 15, FAINT, "rm")


def _draw_trump(canvas: _Canvas, shown: Shown) -> None:
    """The trump marker: a white disc with the suit, and who made it."""
    canvas.panel((28, 58, 236, 124), PLATE)
    canvas.disc((62, 91), 25, PAPER)
    if shown.trump == NONE:
        canvas.text((62, 91), "?", 28, (150, 150, 150), "mm", bold=True)
    elif shown.trump == NO_TRUMP:
        canvas.text((62, 91), "NT", 22, BLACK, "mm", bold=True)
    else:
        canvas.pip(shown.trump, (62, 91), 33)
    name = "trump" if shown.trump == NONE else TRUMP_WORDS[shown.trump]
    canvas.text((96, 80), name, 17, INK, "lm", bold=True, limit=132)
    canvas.text((96, 103), shown.making, 13, FAINT, "lm", limit=134)


def _draw_history(canvas: _Canvas, shown: Shown) -> None:
    """What was decided before the play, at the lower left."""
    lines: list[tuple[str, str]] = []
    for word, said in shown.history:
        row = ""
        for item in said:
            longer = f"{row}, {item}" if row else item
            if row and _width(longer, 12) > 172:
                lines.append((word, row))
                word, longer = "", item
            row = longer
        lines.append((word, row))
    if not lines:
        return
    bottom, step = 620, 16
    top = bottom - 14 - step * len(lines)
    canvas.panel((28, top, 278, bottom), PLATE)
    for number, (word, row) in enumerate(lines):
        y = top + 7 + step * (number + 0.5)
        canvas.text((38, y), word, 12, FAINT, "lm")
        canvas.text((98, y), row, 12, INK, "lm")


def _draw_beside(canvas: _Canvas, groups: Sequence[Group], place: Place) -> None:
    """The cards beside the dealer; where many were taken up, what is left of them."""
    groups = [group for group in groups if not group.gone or len(group.cards) == 1]
    step, gap = 15.0, 14.0
    captions = [group.name.split() for group in groups]
    widths = [
        max(TINY[0] + step * (len(group.cards) - 1), *(_width(line, 12) for line in _two_lines(words)))
        for group, words in zip(groups, captions, strict=True)
    ]
    x, y = place.beside
    x -= place.align * (sum(widths) + gap * (len(groups) - 1))
    for group, words, width in zip(groups, captions, widths, strict=True):
        for row, line in enumerate(_two_lines(words)):
            canvas.text((x, y + 7 + 14 * row), line, 12, INK, "lm")
        for number, card in enumerate(group.cards):
            canvas.card(card, (x + step * number, y + 32), TINY, FADED if group.gone else 0)
        x += width + gap


def _two_lines(words: list[str]) -> tuple[str, str]:
    """A caption over cards, its last line next to them."""
    return ("", words[0]) if len(words) == 1 else (words[0], " ".join(words[1:]))


# --- Seats ------------------------------------------------------------------------------------------------------------


def _draw_hand(canvas: _Canvas, shown: Shown, seat: int, place: Place) -> None:
    cards = _by_suit(shown.hands[seat])
    width = place.size[0]
    step = min(width + 4.0, (place.spread - width) / max(len(cards) - 1, 1))
    x = place.hand[0] - (width + step * (len(cards) - 1)) / 2
    for number, card in enumerate(cards):
        canvas.card(card, (x + step * number, place.hand[1]), place.size, FADED if shown.out(seat) else 0)


def _draw_plate(canvas: _Canvas, shown: Shown, seat: int, place: Place) -> None:
    """Whose seat it is, the dealer's button, its part in the hand; its score, what the hand changed, tricks taken."""
    (width, height), out, taken = PLATE_SIZE, shown.out(seat), shown.tricks_taken[seat]
    x, y = place.plate[0] - width / 2, place.plate[1]
    rim = GOLD if seat == shown.seat or seat in shown.winners else None
    ink = FAINT if out else INK
    canvas.panel((x, y, x + width, y + height), PLATE_OUT if out else PLATE, rim)
    canvas.text((x + 12, y + 15), f"Seat {seat}", 16, GOLD if rim else ink, "lm", bold=True)
    if seat == shown.dealer:
        canvas.disc((x + 84, y + 15), 10, PAPER)
        canvas.text((x + 84, y + 15), "D", 13, BLACK, "mm", bold=True)
    part = "winner" if seat in shown.winners else shown.part(seat)
    if part:
        canvas.pill((x + width - 8, y + 15), part, PILLS[part.split()[0]])
    score = f"{shown.scores[seat]} points"
    canvas.text((x + 12, y + 36), score, 14, ink, "lm", limit=74)
    if shown.scored:
        gain = shown.deltas[seat] * shown.rules.toward
        colour = FAINT if gain == 0 else GOOD if gain > 0 else BAD
        at = (x + 17 + min(_width(score, 14), 74), y + 36)
        canvas.text(at, shown.change(seat), 14, colour, "lm", bold=True, limit=25)
    canvas.text((x + width - 10, y + 36), f"{taken} trick{'' if taken == 1 else 's'}", 12, ink, "rm")
    for number in range(taken):
        left = x + width - 60 - 5 * (taken - number)
        canvas.block((left, y + 29, left + 9, y + 42), BACK, PAPER)


def _by_suit(cards: list[int]) -> list[int]:
    """A hand as one holds it: by suit, the colours in turn, high cards first, unknown cards last."""
    return sorted(cards, key=lambda card: (card == HIDDEN, (0, 1, 3, 2)[card // 6], -card))


def _draw_trick(canvas: _Canvas, shown: Shown, places: list[Place]) -> None:
    """The trick in progress, or the last one until a card is led; the card that is ahead has a golden rim."""
    if shown.tricks:
        trick = shown.tricks[-1]
        for play in trick.plays:
            x, y = places[play.seat].card
            corner = (x - MIDDLE[0] / 2, y - MIDDLE[1] / 2)
            ahead = play.seat == trick.ahead
            canvas.card(play.card, corner, MIDDLE, FADED if play.reneged else PAST if trick.over and not ahead else 0)
            if ahead:
                canvas.rim((*corner, corner[0] + MIDDLE[0], corner[1] + MIDDLE[1]), GOLD)


# --- The canvas -------------------------------------------------------------------------------------------------------


class _Canvas:
    """An image at twice its size, drawn on in lengths of the finished picture."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self.pen = ImageDraw.Draw(image)

    def text(
        self, at: tuple[float, float], text: str, size: int, fill: Colour, anchor: str,
        *, bold: bool = False, limit: float = 1e9,
    ) -> None:  # fmt: skip
        """Text at a point; made smaller where it would be longer than the limit."""
        while _width(text, size) > limit and size > 6:
            size -= 1
        mask, left, top = _written(text, size, anchor, bold)
        self.image.paste(fill, (round(at[0] * SCALE) + left, round(at[1] * SCALE) + top), mask)

    def block(self, box: Box, fill: Colour, rim: Colour | None = None, radius: float = 2) -> None:
        self.pen.rounded_rectangle([SCALE * v for v in box], SCALE * radius, fill, rim, SCALE if rim else 0)

    def panel(self, box: Box, fill: Colour, rim: Colour | None = None) -> None:
        width = 3 if rim else 1
        self.pen.rounded_rectangle([SCALE * v for v in box], SCALE * 9, fill, rim or (52, 96, 76), SCALE * width)

    def rim(self, box: Box, colour: Colour) -> None:
        outer = [SCALE * (v + d) for v, d in zip(box, (-3, -3, 3, 3), strict=True)]
        self.pen.rounded_rectangle(outer, SCALE * 8, None, colour, SCALE * 3)

    def disc(self, at: tuple[float, float], radius: float, fill: Colour) -> None:
        self.pen.circle((at[0] * SCALE, at[1] * SCALE), radius * SCALE, fill, (12, 30, 24), SCALE)

    def pill(self, at: tuple[float, float], text: str, fill: Colour, size: int = 12, anchor: str = "rm") -> None:
        """A word on a rounded ground, its middle, or its right end, at a point."""
        width, half = _width(text, size) + size * 1.3, size * 0.8
        left = at[0] - (width / 2 if anchor == "mm" else width)
        box = [SCALE * v for v in (left, at[1] - half, left + width, at[1] + half)]
        self.pen.rounded_rectangle(box, half * SCALE, fill)
        dark = sum(fill) < 400
        self.text((left + width / 2, at[1]), text, size, PAPER if dark else BLACK, "mm")

    def pip(self, suit: int, at: tuple[float, float], size: int) -> None:
        mask = _pip(suit, size * SCALE)
        corner = (round(at[0] * SCALE - mask.width / 2), round(at[1] * SCALE - mask.height / 2))
        self.image.paste(_colour(suit), (*corner, corner[0] + mask.width, corner[1] + mask.height), mask)

    def card(self, card: int, corner: tuple[float, float], size: Size, fade: float = 0) -> None:
        at = (round(corner[0] * SCALE), round(corner[1] * SCALE))
        self.image.paste(_faded(card, size, fade) if fade else _card(card, size), at, _card_shape(size))


@lru_cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont), "Pillow was built without FreeType"
    return font


@lru_cache(maxsize=4096)
def _written(text: str, size: int, anchor: str, bold: bool) -> tuple[Image.Image, int, int]:
    """Text as a mask, and where that begins, seen from the anchor."""
    font, stroke = _font(size * SCALE), 0.6 if bold else 0
    box = font.getbbox(text, anchor=anchor, stroke_width=stroke)
    left, top = floor(box[0]) - 1, floor(box[1]) - 1
    mask = Image.new("L", (ceil(box[2]) + 1 - left, ceil(box[3]) + 1 - top))
    ImageDraw.Draw(mask).text((-left, -top), text, 255, font, anchor, stroke_width=stroke)
    return mask, left, top


@lru_cache(maxsize=4096)
def _width(text: str, size: int) -> float:
    return _font(size * SCALE).getlength(text) / SCALE


def _colour(suit: int) -> Colour:
    return RED if suit in (1, 2) else BLACK


@lru_cache
def _room() -> Image.Image:
    """What never changes: a dark room, a wooden rim, felt that is lighter in the middle, four suits on it."""
    image = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), ROOM)
    y, x = np.mgrid[: HEIGHT * SCALE, : WIDTH * SCALE].astype(np.float32)
    far = np.hypot(x / (WIDTH * SCALE) - 0.5, (y / (HEIGHT * SCALE) - 0.52) * 0.85) / 0.62
    shade = np.clip(far, 0, 1)[..., None] ** 1.5
    felt = Image.fromarray((np.array(FELT) * (1 - shade) + np.array(FELT_EDGE) * shade).astype(np.uint8))
    for box, radius, ground in (
        ((6, 34, WIDTH - 6, HEIGHT - 4), 40, Image.new("RGB", image.size, WOOD)),
        ((14, 42, WIDTH - 14, HEIGHT - 12), 33, felt),
    ):
        mask = Image.new("L", image.size)
        ImageDraw.Draw(mask).rounded_rectangle([SCALE * v for v in box], SCALE * radius, 255)
        image.paste(ground, mask=mask)
    for suit, (dx, dy) in enumerate(((-34, -34), (34, -34), (34, 34), (-34, 34))):
        mask = _pip(suit, 46 * SCALE).point(lambda v: v // 6)
        corner = (round((480 + dx) * SCALE - mask.width / 2), round((320 + dy) * SCALE - mask.height / 2))
        image.paste((8, 40, 26), (*corner, corner[0] + mask.width, corner[1] + mask.height), mask)
    return image


# --- Cards ------------------------------------------------------------------------------------------------------------

_PAIRS = [(-1.0, -1.0), (1.0, -1.0), (-1.0, -0.36), (1.0, -0.36)]
_UPPER_PIPS = {"9": _PAIRS, "T": [*_PAIRS, (0.0, -0.68)]}
"""Where the pips of the upper half of a number are, from the middle of the card."""


@lru_cache(maxsize=256)
def _card(card: int, size: Size) -> Image.Image:
    """A face, or the back of a hidden card."""
    width, height = size
    image = Image.new("RGB", (width * SCALE, height * SCALE), PAPER)
    canvas = _Canvas(image)
    if card == HIDDEN:
        _draw_back(canvas, size)
    else:
        suit, rank = card // 6, RANKS[card % 6]
        _draw_upper_half(canvas, suit, rank, size)
        half = image.crop((0, 0, image.width, image.height // 2)).rotate(180)
        image.paste(half, (0, image.height - half.height))
        _draw_middle(canvas, suit, rank, size)
    radius = SCALE * 5
    canvas.pen.rounded_rectangle((0, 0, image.width - 1, image.height - 1), radius, None, (120, 124, 122), SCALE)
    return image


def _draw_upper_half(canvas: _Canvas, suit: int, rank: str, size: Size) -> None:
    width, height = size
    text = "10" if rank == "T" else rank
    canvas.text(
        (width * 0.135, height * 0.14), text, round(height * 0.2), _colour(suit), "mm", bold=True, limit=width * 0.22
    )
    canvas.pip(suit, (width * 0.135, height * 0.31), round(width * 0.2))
    for x, y in _UPPER_PIPS.get(rank, []):
        canvas.pip(suit, (width * (0.5 + 0.14 * x), height * (0.5 + 0.34 * y)), round(width * 0.19))


def _draw_middle(canvas: _Canvas, suit: int, rank: str, size: Size) -> None:
    width, height = size
    if rank in "JQK":
        tint = (250, 234, 214) if suit in (1, 2) else (228, 232, 240)
        canvas.block((width * 0.27, height * 0.13, width * 0.73, height * 0.87), tint, (196, 160, 90), 3)
        canvas.pip(suit, (width / 2, height * 0.34), round(width * 0.3))
        canvas.text((width / 2, height * 0.65), rank, round(height * 0.34), _colour(suit), "mm", bold=True)
    elif rank in "A9":
        canvas.pip(suit, (width / 2, height / 2), round(width * (0.5 if rank == "A" else 0.19)))


def _draw_back(canvas: _Canvas, size: Size) -> None:
    """A blue lattice in a white frame."""
    width, height = size
    frame = (4.0, 4.0, width - 4.0, height - 4.0)
    inside = Image.new("RGB", canvas.image.size, BACK)
    pen = ImageDraw.Draw(inside)
    for offset in range(-height * SCALE, width * SCALE, 7 * SCALE):
        for ends in ((offset, offset + height * SCALE), (offset + height * SCALE, offset)):
            pen.line((ends[0], 0, ends[1], height * SCALE), (96, 126, 190), SCALE)
    mask = Image.new("L", canvas.image.size)
    ImageDraw.Draw(mask).rounded_rectangle([SCALE * v for v in frame], 3 * SCALE, 255)
    canvas.image.paste(inside, mask=mask)


@lru_cache(maxsize=256)
def _faded(card: int, size: Size, fade: float) -> Image.Image:
    face = _card(card, size)
    return Image.blend(face, Image.new("RGB", face.size, FELT), fade)


@lru_cache
def _card_shape(size: Size) -> Image.Image:
    """Where a card covers what is under it."""
    mask = Image.new("L", (size[0] * SCALE, size[1] * SCALE))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), SCALE * 5, 255)
    return mask


@lru_cache(maxsize=256)
def _pip(suit: int, size: int) -> Image.Image:
    """The shape of a suit sign in a square, as a mask."""
    fine = 4 * size
    mask = Image.new("L", (fine, fine))
    pen = ImageDraw.Draw(mask)

    def polygon(points: list[tuple[float, float]]) -> None:
        pen.polygon([(fine * (0.5 + x), fine * (0.5 + y)) for x, y in points], 255)

    def circle(x: float, y: float, radius: float) -> None:
        pen.circle((fine * (0.5 + x), fine * (0.5 + y)), fine * radius, 255)

    if suit == 0:
        circle(0, -0.24, 0.22)
        circle(-0.25, 0.1, 0.22)
        circle(0.25, 0.1, 0.22)
        circle(0, 0, 0.13)
    elif suit == 1:
        corners = [(0.0, -0.5), (0.37, 0.0), (0.0, 0.5), (-0.37, 0.0), (0.0, -0.5)]
        for (ax, ay), (bx, by) in pairwise(corners):
            bend = [(t / 12, 0.1 * sin(pi * t / 12)) for t in range(13)]  # sides curve inward a little
            polygon([(0.0, 0.0)] + [((ax + (bx - ax) * t) * (1 - b), (ay + (by - ay) * t) * (1 - b)) for t, b in bend])
    else:
        up = 1 if suit == 2 else -1
        turn = [2 * pi * t / 96 for t in range(96)]
        heart = [(16 * sin(t) ** 3, 13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) for t in turn]
        size_, rise = (1 / 33, -0.07) if suit == 2 else (1 / 36, -0.05)
        polygon([(x * size_, -up * y * size_ + rise) for x, y in heart])
    if suit in (0, 3):
        polygon([(-0.035, 0.0), (0.035, 0.0), (0.06, 0.32), (0.17, 0.48), (-0.17, 0.48), (-0.06, 0.32)])
    return mask.reduce(4)
