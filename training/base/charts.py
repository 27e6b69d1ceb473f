"""The look of the project's charts: its colours, bare axes, and a grid of panels as a PNG."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Literal, TypeVar

from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["GRID", "INK", "LINE", "PAPER", "bare", "panels_png"]

LINE, INK, GRID, PAPER = "#0f6cb4", "#22252a", "#d9d7d0", "#fbfaf7"

T = TypeVar("T")


def bare(axes: Axes, *, grid: Literal["both", "x"] = "both", size: float = 9) -> None:
    """Leave of the axes only a grid and labels, of a size in points."""
    axes.set_facecolor(PAPER)
    axes.grid(axis=grid, color=GRID, linewidth=0.8)
    axes.tick_params(length=0, colors=INK, labelsize=size)
    for spine in axes.spines.values():
        spine.set_visible(False)


def panels_png(
    panels: Mapping[str, T], draw: Callable[[Axes, T], None], *, across: int, margin: float, height: float, title: str,
    below: str,
) -> bytes:  # fmt: skip
    """A picture with a titled panel for each item, so many across; `draw` fills one.

    A row of panels is `height` inches high, and `margin` is left beside the rows; `below` names the horizontal axes.
    """
    rows = -(-len(panels) // across)
    figure = Figure(figsize=(8, margin + height * rows), facecolor=PAPER)
    figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
    for name, axes in zip_longest(panels, figure.subplots(rows, across, squeeze=False).flat):
        if name is None:
            axes.set_axis_off()
        else:
            draw(axes, panels[name])
            axes.set_title(name, color=INK, fontsize=11)
    figure.suptitle(title, color=INK, fontsize=12)
    figure.supxlabel(below, color=INK, fontsize=10)
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=120)
    return content.getvalue()
