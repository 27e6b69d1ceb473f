"""The payoff matrix of an event as a picture."""

from __future__ import annotations

import io
import warnings

import numpy as np

from training.tournament.results import Results

__all__ = ["payoff_png"]


def payoff_png(results: Results) -> bytes:
    """A PNG of the payoff matrix as a heat map: the points a hand of each row's agent, alone among each column's."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    order = [standing.agent for standing in results.ranking()]
    whole = [results.labels[x] for x in order]
    short = [label if len(label) <= 20 else f"{label[:9]}…{label[-10:]}" for label in whole]  # what there is room for
    labels = [label.replace("$", r"\$") for label in short]  # a dollar would begin a formula
    estimates = [[results.pair("points", x, y) for y in order] for x in order]
    means = np.array([[estimate.mean for estimate in row] for row in estimates])
    limit = max(float(np.abs(means).max()), 0.01)
    size = len(order)

    figure = Figure(figsize=(2.6 + 1.35 * size, 2.2 + 1.0 * size), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    image = axes.imshow(means, cmap="RdBu", vmin=-limit, vmax=limit, aspect="auto")
    for row in range(size):
        for column in range(size):
            estimate = estimates[row][column]
            dark = abs(estimate.mean) > 0.6 * limit
            text = f"{round(estimate.mean, 2) + 0.0:+.2f}\n"
            colour = "white" if dark else "#222222"
            axes.text(column, row, text, ha="center", va="center", fontsize=13, color=colour, weight="bold")
            axes.text(column, row, f"\n± {estimate.half:.2f}", ha="center", va="center", fontsize=9, color=colour)
    axes.set_xticks(range(size), labels, rotation=20 if max(map(len, labels)) > 12 else 0)
    axes.set_yticks(range(size), labels)
    axes.set_xlabel("among")
    axes.set_ylabel("one seat of")
    axes.tick_params(length=0)
    axes.set_xticks(np.arange(size + 1) - 0.5, minor=True)
    axes.set_yticks(np.arange(size + 1) - 0.5, minor=True)
    axes.grid(which="minor", color="white", linewidth=2)
    axes.tick_params(which="minor", length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    unfinished = "" if results.complete else ", interrupted"
    axes.set_title(
        f"Points a hand, toward the target, ± 95%\n"
        f"{results.config.rules.name}: {results.deals:,} deals, seed {results.config.seed}{unfinished}",
        fontsize=11, pad=12,
    )  # fmt: skip
    bar = figure.colorbar(image, ax=axes, fraction=0.05, pad=0.03)
    bar.outline.set_visible(False)
    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", r"Glyph .* missing from")  # a label's sign that no font has is drawn as a box
        figure.savefig(content, format="png", dpi=150)
    return content.getvalue()
