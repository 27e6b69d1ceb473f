"""The picture of a sweep: the mean gain of each combination, with one bar over seeds and one over deals."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from training.base.charts import INK, LINE, bare, panels_png
from training.sweep.rows import Row

__all__ = ["gains_png"]


def gains_png(rows: Sequence[Row]) -> bytes:
    """A panel for each choice of the first axis and each agent; without a second axis, one for each agent."""
    panels: dict[str, list[Row]] = {}
    for row in rows:
        first = row.choices[:1] if len(row.choices) > 1 else ()
        panels.setdefault(": ".join([*first, f"gain over {row.against}"]), []).append(row)
    longest = max(map(len, panels.values()))
    return panels_png(
        panels, _draw, across=1, margin=0.9, height=0.7 + 0.24 * longest,
        title="Mean gain of the bots of all seeds, with 95% intervals",
        below="points a hand; thick: over deals, thin: over seeds",
    )  # fmt: skip


def _draw(axes: Axes, rows: Sequence[Row]) -> None:
    places = range(len(rows), 0, -1)
    for place, row in zip(places, rows, strict=True):
        for estimate, width in ((row.over_seeds, 1.2), (row.over_deals, 4.0)):
            if estimate:
                axes.plot([estimate.low, estimate.high], [place, place], color=LINE, linewidth=width, alpha=0.6)
        axes.plot(row.over_deals.mean, place, color=LINE, marker="o", markersize=5)
    axes.axvline(0, color=INK, linewidth=1)
    axes.set_yticks(places, [" · ".join(row.choices[1:] or row.choices) or "all" for row in rows])
    axes.set_ylim(0.3, len(rows) + 0.7)
    bare(axes, grid="x", size=8)
