"""The four suit signs as shapes, drawn rather than typed, so that no font changes a picture."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin

from PIL import Image, ImageDraw

__all__ = ["suit_shape"]


@lru_cache(maxsize=256)
def suit_shape(suit: int, size: int) -> Image.Image:
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
