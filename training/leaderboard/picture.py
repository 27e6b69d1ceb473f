"""Strength against time: the edge among `rules-v1` and the milliseconds a decision of each agent, a panel a profile."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from training.leaderboard.settings import REFERENCES

__all__ = ["strength_png"]

_DOT, _INK, _GRID, _PAPER = "#0f6cb4", "#22252a", "#d9d7d0", "#fbfaf7"
_ACROSS = 2
"""Panels in a row."""


def strength_png(boards: Sequence[Mapping[str, Any]]) -> bytes:
    """The picture of some boards; `random`, which is far below all others, is left out."""
    rows = -(-len(boards) // _ACROSS)
    figure = Figure(figsize=(8, 0.8 + 2.6 * rows), facecolor=_PAPER)
    figure.set_layout_engine("constrained", w_pad=0.1, h_pad=0.1)
    panels = figure.subplots(rows, _ACROSS, squeeze=False).flat
    for board, axes in zip_longest(boards, panels):
        if board is None:
            axes.set_axis_off()
        else:
            _draw(axes, board)
    figure.suptitle(f"Edge among {REFERENCES[0]}: points a hand, with 95% intervals", color=_INK, fontsize=12)
    figure.supxlabel("milliseconds a decision, one core", color=_INK, fontsize=10)
    content = io.BytesIO()
    figure.savefig(content, format="png", dpi=120)
    return content.getvalue()


def _draw(axes: Axes, board: Mapping[str, Any]) -> None:
    edges = {
        label: row["among"][REFERENCES[0]]["edge"] if REFERENCES[0] in row["among"] else _EVEN
        for label, row in board["rows"].items()
        if label != "random"
    }
    for label, edge in edges.items():
        ms = board["rows"][label]["ms"]
        half = edge["high"] - edge["mean"]
        axes.errorbar(ms, edge["mean"], half, color=_DOT, marker="o", markersize=4, linewidth=1.4)
        axes.annotate(label, (ms, edge["mean"]), (5, 4), textcoords="offset points", color=_INK, fontsize=7)
    axes.axhline(0, color=_INK, linewidth=1)
    axes.set_xscale("log")
    axes.margins(x=0.25, y=0.2)
    axes.set_title(board["profile"], color=_INK, fontsize=11)
    axes.set_facecolor(_PAPER)
    axes.grid(color=_GRID, linewidth=0.8)
    axes.tick_params(length=0, colors=_INK, labelsize=8)
    for spine in axes.spines.values():
        spine.set_visible(False)


_EVEN = {"mean": 0.0, "low": 0.0, "high": 0.0}
"""The edge of an agent among its copies."""
