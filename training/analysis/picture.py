"""A decision as a picture: each action's points, and its chance to win the match, with 95% intervals."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Drawing

from buck_env.base.errors import BuckError
from training.analysis.analysis import Analysis, Figure
from training.base.charts import GRID, INK, LINE, PAPER, bare

__all__ = ["FORMATS", "analysis_picture", "picture_format"]

FORMATS: Final = ("svg", "png")


def picture_format(path: Path) -> str:
    """The format that the ending of a file's name asks for; BuckError where it is none that can be drawn."""
    ending = path.suffix.lstrip(".").lower()
    if ending not in FORMATS:
        raise BuckError(f"--picture: {path} does not end in .{' or .'.join(FORMATS)}")
    return ending


def analysis_picture(analysis: Analysis, form: str) -> bytes:
    """The picture in one of `FORMATS`. The same analysis gives the same SVG."""
    panels = [("points a hand", analysis.points, 1.0)]
    if analysis.chances:
        panels.append(("chance to win the match, %", analysis.chances, 100.0))
    drawing = Drawing(figsize=(4.4 * len(panels), 1.5 + 0.32 * len(analysis.points)), facecolor=PAPER)
    drawing.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
    axes = drawing.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axis, (label, figures, scale) in zip(axes, panels, strict=True):
        _draw(axis, label, figures, scale)
    views = analysis.views
    drawing.suptitle(f"{views.rules.name}: seat {views.seats[0]} to {analysis.phase}", color=INK, fontsize=12)
    content = io.BytesIO()
    with rc_context({"svg.hashsalt": "analysis"}):
        drawing.savefig(content, format=form, dpi=120, metadata={"Date": None} if form == "svg" else None)
    return content.getvalue()


def _draw(axes: Axes, label: str, figures: Mapping[str, Figure], scale: float) -> None:
    places = range(len(figures), 0, -1)
    values = [scale * figure.value for figure in figures.values()]
    axes.errorbar(
        values, list(places), xerr=[scale * figure.half for figure in figures.values()],
        fmt="o", color=LINE, markersize=5, linewidth=1.8, capsize=3,
    )  # fmt: skip
    axes.axvline(values[0], color=GRID, linewidth=1)
    axes.set_yticks(list(places), list(figures))
    axes.set_ylim(0.4, len(figures) + 0.6)
    axes.set_xlabel(label, color=INK, fontsize=10)
    bare(axes, grid="x")
