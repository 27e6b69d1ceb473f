"""Learning curves: the gain of bots over one agent against the time for which they have learned, a panel a bot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from matplotlib.axes import Axes

from training.base.charts import INK, LINE, bare, panels_png

__all__ = ["curves_png"]

Curve = Sequence[Mapping[str, Any]]


def curves_png(curves: Mapping[str, Curve], over: str = "rules-v1") -> bytes:
    """The curves of bots by name, each as `bot.json` keeps it; only evaluations against the agent `over` are drawn."""
    return panels_png(
        curves, partial(_draw, over=over), across=3, margin=0.9, height=1.9,
        title=f"Gain over {over}: points a hand, with 95% intervals", below="minutes of learning",
    )  # fmt: skip


def _draw(axes: Axes, curve: Curve, *, over: str) -> None:
    points = [point for point in curve if point["gain_over"] == over]
    minutes = [point["seconds"] / 60 for point in points]
    means, low, high = ([point[key] for point in points] for key in ("mean", "low", "high"))
    axes.fill_between(minutes, low, high, color=LINE, alpha=0.2, linewidth=0)
    axes.plot(minutes, means, color=LINE, marker="o", markersize=3, linewidth=1.8)
    axes.axhline(0, color=INK, linewidth=1)
    axes.set_xlim(0, 1.04 * max(minutes, default=1))
    axes.set_ylim(1.1 * min([0, *low]), 1.15 * max([0.01, *high]))
    bare(axes)
