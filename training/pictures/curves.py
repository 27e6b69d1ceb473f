"""Learning curves: the gain of bots over one agent against the time for which they have learned, a panel a bot."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

__all__ = ["curves_png"]

_LINE, _INK, _GRID, _PAPER = "#0f6cb4", "#22252a", "#d9d7d0", "#fbfaf7"
_ACROSS = 3
"""Panels in a row."""

Curve = Sequence[Mapping[str, Any]]


def curves_png(curves: Mapping[str, Curve], over: str = "rules-v1") -> bytes:
    """The curves of bots by name, each as `bot.json` keeps it; only evaluations against the agent `over` are drawn."""
    rows = -(-len(curves) // _ACROSS)
    figure = Figure(figsize=(8, 0.9 + 1.9 * rows), facecolor=_PAPER)
    figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
    panels = figure.subplots(rows, _ACROSS, squeeze=False).flat
    for name, axes in zip_longest(curves, panels):
        if name is None:
            axes.set_axis_off()
        else:
            _draw(axes, name, curves[name], over)
    figure.suptitle(f"Gain over {over}: points a hand, with 95% intervals", color=_INK, fontsize=12)
    figure.supxlabel("minutes of learning", color=_INK, fontsize=10)
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=120)
    return content.getvalue()


def _draw(axes: Axes, name: str, curve: Curve, over: str) -> None:
    points = [point for point in curve if point["gain_over"] == over]
    minutes = [point["seconds"] / 60 for point in points]
    means, low, high = ([point[key] for point in points] for key in ("mean", "low", "high"))
    axes.fill_between(minutes, low, high, color=_LINE, alpha=0.2, linewidth=0)
    axes.plot(minutes, means, color=_LINE, marker="o", markersize=3, linewidth=1.8)
    axes.axhline(0, color=_INK, linewidth=1)
    axes.set_xlim(0, 1.04 * max(minutes, default=1))
    axes.set_ylim(1.1 * min([0, *low]), 1.15 * max([0.01, *high]))
    axes.set_title(name, color=_INK, fontsize=11)
    axes.set_facecolor(_PAPER)
    axes.grid(color=_GRID, linewidth=0.8)
    axes.tick_params(length=0, colors=_INK, labelsize=9)
    for spine in axes.spines.values():
        spine.set_visible(False)
