"""Rendering that the adapters share: text, a picture or a window."""

from __future__ import annotations

from importlib.util import find_spec

import gymnasium
import numpy as np

from buck_env.base.errors import BuckError
from buck_env.drawing.text import table_text
from buck_env.game.rules import Rules

__all__ = ["RENDER_FPS", "RENDER_MODES", "check_render_mode", "closed", "drawn", "rendered"]

RENDER_MODES = ["ansi", "rgb_array", *(["human"] if find_spec("pygame") else [])]
"""What can be drawn here: a window is pygame's."""
RENDER_FPS = 2
"""Pictures a second in a window."""


def check_render_mode(mode: object) -> None:
    """BuckError where a mode is not known, or cannot be drawn here."""
    if mode is None or mode in RENDER_MODES:
        return
    if mode == "human":
        raise BuckError("render_mode: 'human' needs pygame; install buck-euchre-rl[human]")
    raise BuckError(f"render_mode: {mode!r} is not allowed; allowed: {', '.join(RENDER_MODES)}, or None")


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
    from buck_env.drawing.window import show_window  # which loads pygame

    assert isinstance(picture, np.ndarray)
    show_window(picture, table_text(table, rules, viewer), RENDER_FPS)
    return None


def closed(mode: str | None) -> None:
    """Close the window of "human", if one is open."""
    if mode == "human":
        from buck_env.drawing.window import close_window

        close_window()
