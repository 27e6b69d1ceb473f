"""Strength against time: the edge among `rules-v1` and the milliseconds a decision of each agent, a panel a profile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes

from training.base.charts import INK, LINE, bare, panels_png
from training.leaderboard.settings import REFERENCES

__all__ = ["strength_png"]

_EVEN = {"mean": 0.0, "low": 0.0, "high": 0.0}
"""The edge of an agent among its copies."""


def strength_png(boards: Sequence[Mapping[str, Any]]) -> bytes:
    """The picture of some boards; `random`, which is far below all others, is left out."""
    return panels_png(
        {board["profile"]: board["rows"] for board in boards}, _draw, across=2, margin=0.8, height=2.6,
        title=f"Edge among {REFERENCES[0]}: points a hand, with 95% intervals",
        below="milliseconds a decision, one core",
    )  # fmt: skip


def _draw(axes: Axes, rows: Mapping[str, Any]) -> None:
    for label, row in rows.items():
        if label != "random":
            among = row["among"].get(REFERENCES[0])
            edge, ms = among["edge"] if among else _EVEN, row["ms"]
            half = edge["high"] - edge["mean"]
            axes.errorbar(ms, edge["mean"], half, color=LINE, marker="o", markersize=4, linewidth=1.4)
            above = (ms, edge["mean"] + half), (0, 2)
            axes.annotate(label, *above, textcoords="offset points", ha="center", color=INK, fontsize=7)
    axes.axhline(0, color=INK, linewidth=1)
    axes.set_xscale("log")
    axes.margins(x=0.25, y=0.2)
    bare(axes, size=8)
