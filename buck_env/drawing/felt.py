"""The empty table, which is the ground of every picture."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PIL import Image, ImageDraw

from buck_env.drawing.canvas import FELT, FELT_EDGE, ROOM, SCALE, WOOD
from buck_env.drawing.suits import suit_shape

__all__ = ["empty_table"]


@lru_cache
def empty_table(width: int, height: int) -> Image.Image:
    """What never changes: a dark room, a wooden rim, felt that is lighter in the middle, four suits on it."""
    image = Image.new("RGB", (width * SCALE, height * SCALE), ROOM)
    y, x = np.mgrid[: height * SCALE, : width * SCALE].astype(np.float32)
    far = np.hypot(x / (width * SCALE) - 0.5, (y / (height * SCALE) - 0.52) * 0.85) / 0.62
    shade = np.clip(far, 0, 1)[..., None] ** 1.5
    felt = Image.fromarray((np.array(FELT) * (1 - shade) + np.array(FELT_EDGE) * shade).astype(np.uint8))
    for box, radius, ground in (
        ((6, 34, width - 6, height - 4), 40, Image.new("RGB", image.size, WOOD)),
        ((14, 42, width - 14, height - 12), 33, felt),
    ):
        mask = Image.new("L", image.size)
        ImageDraw.Draw(mask).rounded_rectangle([SCALE * v for v in box], SCALE * radius, 255)
        image.paste(ground, mask=mask)
    for suit, (dx, dy) in enumerate(((-34, -34), (34, -34), (34, 34), (-34, 34))):
        mask = suit_shape(suit, 46 * SCALE).point(lambda v: v // 6)
        corner = (round((width / 2 + dx) * SCALE - mask.width / 2), round((height / 2 + dy) * SCALE - mask.height / 2))
        image.paste((8, 40, 26), (*corner, corner[0] + mask.width, corner[1] + mask.height), mask)
    return image
