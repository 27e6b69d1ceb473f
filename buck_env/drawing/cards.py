"""Cards on a canvas: faces, backs, and cards that are out of the hand."""

from __future__ import annotations

from functools import lru_cache

from PIL import Image, ImageDraw

from buck_env.drawing.canvas import BACK, FELT, PAPER, SCALE, Canvas, Size, suit_colour
from buck_env.game.cards import RANKS
from buck_env.game.table import HIDDEN

__all__ = ["LARGE", "MIDDLE", "SMALL", "TINY", "card_face", "draw_card"]

LARGE, MIDDLE, SMALL, TINY = (68, 95), (60, 84), (52, 73), (44, 62)

_PAIRS = [(-1.0, -1.0), (1.0, -1.0), (-1.0, -0.36), (1.0, -0.36)]
_UPPER_PIPS = {"9": _PAIRS, "T": [*_PAIRS, (0.0, -0.68)]}
"""Where the pips of the upper half of a number are, from the middle of the card."""


def draw_card(canvas: Canvas, card: int, corner: tuple[float, float], size: Size, fade: float = 0) -> None:
    """A card with its upper left corner at a point; `fade` is how much of the felt shows through it, 0 to 1."""
    at = (round(corner[0] * SCALE), round(corner[1] * SCALE))
    canvas.image.paste(_faded(card, size, fade) if fade else card_face(card, size), at, _shape(size))


@lru_cache(maxsize=256)
def card_face(card: int, size: Size) -> Image.Image:
    """A face, or the back of a hidden card."""
    width, height = size
    image = Image.new("RGB", (width * SCALE, height * SCALE), PAPER)
    canvas = Canvas(image)
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


def _draw_upper_half(canvas: Canvas, suit: int, rank: str, size: Size) -> None:
    width, height = size
    text = "10" if rank == "T" else rank
    canvas.text(
        (width * 0.135, height * 0.14),
        text,
        round(height * 0.2),
        suit_colour(suit),
        "mm",
        bold=True,
        limit=width * 0.22,
    )
    canvas.pip(suit, (width * 0.135, height * 0.31), round(width * 0.2))
    for x, y in _UPPER_PIPS.get(rank, []):
        canvas.pip(suit, (width * (0.5 + 0.14 * x), height * (0.5 + 0.34 * y)), round(width * 0.19))


def _draw_middle(canvas: Canvas, suit: int, rank: str, size: Size) -> None:
    width, height = size
    if rank in "JQK":
        tint = (250, 234, 214) if suit in (1, 2) else (228, 232, 240)
        canvas.block((width * 0.27, height * 0.13, width * 0.73, height * 0.87), tint, (196, 160, 90), 3)
        canvas.pip(suit, (width / 2, height * 0.34), round(width * 0.3))
        canvas.text((width / 2, height * 0.65), rank, round(height * 0.34), suit_colour(suit), "mm", bold=True)
    elif rank in "A9":
        canvas.pip(suit, (width / 2, height / 2), round(width * (0.5 if rank == "A" else 0.19)))


def _draw_back(canvas: Canvas, size: Size) -> None:
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
    face = card_face(card, size)
    return Image.blend(face, Image.new("RGB", face.size, FELT), fade)


@lru_cache
def _shape(size: Size) -> Image.Image:
    """Where a card covers what is under it."""
    mask = Image.new("L", (size[0] * SCALE, size[1] * SCALE))
    ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), SCALE * 5, 255)
    return mask
