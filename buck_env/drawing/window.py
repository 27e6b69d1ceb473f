"""A window on a table; pygame is loaded when the first one opens."""

from __future__ import annotations

import os
import sys
from functools import cache
from typing import Any

import numpy as np

__all__ = ["close_window", "show_window"]


@cache
def _note_no_display() -> None:
    """Print, once a process, that no window can open."""
    print("render: there is no display for a window; the table is printed as text", file=sys.stderr)


@cache
def _clock() -> Any:
    import pygame

    return pygame.time.Clock()


def show_window(picture: np.ndarray, text: str, fps: int) -> None:
    """Show a picture, (H, W, 3) uint8, in one window, used again by every call, at most `fps` times a second.

    Where there is no display, print the text instead, without waiting.
    """
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    pixels = picture.swapaxes(0, 1)
    try:
        pygame.display.init()
        screen = pygame.display.get_surface() or pygame.display.set_mode(pixels.shape[:2])
    except pygame.error:
        _note_no_display()
        print(text)
        return
    pygame.display.set_caption("Buck Euchre")
    pygame.surfarray.blit_array(screen, pixels)
    pygame.event.pump()
    pygame.display.flip()
    _clock().tick(fps)


def close_window() -> None:
    """Close the window, if one is open; the next picture opens another."""
    if "pygame" in sys.modules:
        import pygame

        pygame.display.quit()
