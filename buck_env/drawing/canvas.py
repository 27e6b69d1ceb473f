"""`Canvas`: an image that is drawn at twice its size and reduced, and the colours and words on it.

Lengths are in pixels of the finished picture; the canvas alone knows of the scale. The font is Pillow's own, so a
picture is the same on every machine. Everything that does not change is drawn once.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, floor

from PIL import Image, ImageDraw, ImageFont

from buck_env.drawing.suits import suit_shape

__all__ = ["SCALE", "Box", "Canvas", "Colour", "Size", "suit_colour", "text_width"]

SCALE = 2

Colour = tuple[int, int, int]
Box = tuple[float, float, float, float]
Size = tuple[int, int]

RED, BLACK, PAPER = (200, 30, 45), (28, 30, 36), (252, 251, 246)
INK, FAINT, GOLD = (240, 238, 226), (170, 196, 178), (246, 200, 84)
FELT, FELT_EDGE, ROOM, WOOD = (34, 112, 76), (16, 66, 46), (22, 26, 30), (92, 58, 34)
PLATE, PLATE_OUT, BACK = (14, 42, 34), (40, 62, 52), (38, 66, 128)
GOOD, BAD = (132, 220, 140), (255, 128, 118)


class Canvas:
    """An image at twice its size, drawn on in lengths of the finished picture."""

    def __init__(self, image: Image.Image) -> None:
        self.image = image
        self.pen = ImageDraw.Draw(image)

    def text(
        self, at: tuple[float, float], text: str, size: int, fill: Colour, anchor: str,
        *, bold: bool = False, limit: float = 1e9,
    ) -> None:  # fmt: skip
        """Text at a point; made smaller where it would be longer than the limit."""
        while text_width(text, size) > limit and size > 6:
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
        width, half = text_width(text, size) + size * 1.3, size * 0.8
        left = at[0] - (width / 2 if anchor == "mm" else width)
        box = [SCALE * v for v in (left, at[1] - half, left + width, at[1] + half)]
        self.pen.rounded_rectangle(box, half * SCALE, fill)
        dark = sum(fill) < 400
        self.text((left + width / 2, at[1]), text, size, PAPER if dark else BLACK, "mm")

    def pip(self, suit: int, at: tuple[float, float], size: int) -> None:
        mask = suit_shape(suit, size * SCALE)
        corner = (round(at[0] * SCALE - mask.width / 2), round(at[1] * SCALE - mask.height / 2))
        self.image.paste(suit_colour(suit), (*corner, corner[0] + mask.width, corner[1] + mask.height), mask)


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
def text_width(text: str, size: int) -> float:
    return _font(size * SCALE).getlength(text) / SCALE


def suit_colour(suit: int) -> Colour:
    return RED if suit in (1, 2) else BLACK
