"""A window on a table; matplotlib is loaded when the first one opens."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np

__all__ = ["show_window"]


@cache
def _note_no_display() -> None:
    """Print, once a process, that no window can open."""
    print("render: there is no display for a window; the table is printed as text", file=sys.stderr)


def show_window(picture: np.ndarray, text: str = "") -> None:
    """Show a picture in one window, used again by every call; where there is no display, print the text instead."""
    import matplotlib.pyplot as plt
    from matplotlib.backends.registry import BackendFilter, backend_registry

    interactive = backend_registry.list_builtin(BackendFilter.INTERACTIVE)  # type: ignore[no-untyped-call]
    if plt.get_backend().lower() not in interactive:  # matplotlib falls back to another where none can open
        _note_no_display()
        print(text)
        return
    height, width, _ = picture.shape
    figure = plt.figure("Buck Euchre", figsize=(width / 100, height / 100), dpi=100)
    figure.clear()
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.imshow(picture)
    plt.show(block=False)
    plt.pause(0.001)
