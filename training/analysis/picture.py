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

__all__ = ["FORMATS", "analysis_picture", "picture_format"]

FORMATS: Final = ("svg", "png")
_DOT, _INK, _GRID, _PAPER = "#0f6cb4", "#22252a", "#d9d7d0", "#fbfaf7"


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
    drawing = Drawing(figsize=(4.4 * len(panels), 1.5 + 0.32 * len(analysis.points)), facecolor=_PAPER)
    drawing.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
    axes = drawing.subplots(1, len(panels), squeeze=False, sharey=True)[0]
    for axis, (label, figures, scale) in zip(axes, panels, strict=True):
        _draw(axis, label, figures, scale)
    views = analysis.views
    drawing.suptitle(f"{views.rules.name}: seat {views.seats[0]} to {analysis.phase}", color=_INK, fontsize=12)
    content = io.BytesIO()
    with rc_context({"svg.hashsalt": "analysis"}):
        drawing.savefig(content, format=form, dpi=120, metadata={"Date": None} if form == "svg" else None)
    return content.getvalue()


def _draw(axes: Axes, label: str, figures: Mapping[str, Figure], scale: float) -> None:
    places = range(len(figures), 0, -1)
    values = [scale * figure.value for figure in figures.values()]
    axes.errorbar(
        values, list(places), xerr=[scale * figure.half for figure in figures.values()],
        fmt="o", color=_DOT, markersize=5, linewidth=1.8, capsize=3,
    )  # fmt: skip
    axes.axvline(values[0], color=_GRID, linewidth=1)
    axes.set_yticks(list(places), list(figures))
    axes.set_ylim(0.4, len(figures) + 0.6)
    axes.set_xlabel(label, color=_INK, fontsize=10)
    axes.set_facecolor(_PAPER)
    axes.grid(axis="x", color=_GRID, linewidth=0.8)
    axes.tick_params(length=0, colors=_INK, labelsize=9)
    for spine in axes.spines.values():
        spine.set_visible(False)
