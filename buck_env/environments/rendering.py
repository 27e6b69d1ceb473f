"""Rendering that the adapters share: text, a picture or a window."""

from __future__ import annotations

import gymnasium
import numpy as np

from buck_env.drawing.text import table_text
from buck_env.game.rules import Rules

__all__ = ["RENDER_MODES", "drawn", "rendered"]

RENDER_MODES = ["ansi", "rgb_array", "human"]


def drawn(mode: str, table: np.ndarray, rules: Rules, viewer: int | None) -> str | np.ndarray:
    """One table, shape (1,), open or as a seat sees it: text for "ansi", else a picture, (H, W, 3) uint8."""
    if mode == "ansi":
        return table_text(table, rules, viewer)
    from buck_env.drawing.picture import table_picture  # which loads Pillow

    return table_picture(table, rules, viewer)


def rendered(mode: str | None, table: np.ndarray, rules: Rules, viewer: int | None) -> str | np.ndarray | None:
    """What `render` of an environment returns; for "human" the table is shown in a window, and the answer is None."""
    if mode is None:
        gymnasium.logger.warn(f"render: render_mode was not given; allowed: {', '.join(RENDER_MODES)}")
        return None
    picture = drawn(mode, table, rules, viewer)
    if mode != "human":
        return picture
    from buck_env.drawing.window import show_window  # which loads matplotlib

    assert isinstance(picture, np.ndarray)
    show_window(picture, table_text(table, rules, viewer))
    return None
