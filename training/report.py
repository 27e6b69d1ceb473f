"""What a tournament found, for people and for programs: a table, `results.csv`, `results.json` and `payoff.png`."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from agents.bot import replace_file
from agents.command import faults_text
from training.measures import Estimate
from training.tournament import Results

__all__ = ["results_csv", "results_json", "results_table", "write_report"]


# --- For the terminal -------------------------------------------------------------------------------------------------


def results_table(results: Results) -> str:
    """The ranking, and the gain of each agent among each other."""
    labels, par = results.labels, 1 / results.config.rules.seats
    ranking = results.ranking()
    shares = [f"win share (par {par:.2f})"] if results.matches else []
    rows = [["", "agent", "edge", "gain", "points a hand", *shares]]
    for place, standing in enumerate(ranking, start=1):
        figures = [standing.edge, standing.gain, standing.points, *([standing.share] if standing.share else [])]
        rows.append([str(place), labels[standing.agent], *map(str, figures)])
    order = [standing.agent for standing in ranking]
    pairs = [["gain of", *(f"among {labels[y]}" for y in order)]]
    pairs += [[labels[x], *("" if x == y else _marked(results, x, y) for y in order)] for x in order]
    notes = [
        "edge, gain and points: means over the opponents, with 95% intervals, one cluster a deal.",
        "* beats: the lower end of the gain is above 0.",
    ]
    cut = results.truncated.sum() * results.config.rules.seats
    if cut:
        notes.append(f"{cut:.0f} matches were cut off and went to the best score.")
    same = [
        f"{labels[x]} = {labels[y]}"
        for x in range(len(labels))
        for y in range(x)
        if not results.gains[:, [x, y], [y, x]].any()
    ]
    if same:
        notes.append(f"Played every deal to the same points: {', '.join(same)}.")
    notes += [
        f"{label}: {faults_text(tally)}"
        f"{', the hands forfeited' if results.config.on_fault == 'forfeit' and 'replaced' in tally else ''}."
        for label, tally in results.tallies.items()
    ]
    if not results.complete:
        notes.append("Interrupted: these are the deals until then.")
    return "\n\n".join([_title(results), _aligned(rows), _aligned(pairs), "\n".join(notes)])


def _marked(results: Results, x: int, y: int) -> str:
    return f"{_estimate(results.gains, x, y)}{' *' if results.beats(x, y) else ''}"


def _title(results: Results) -> str:
    matches = f", {results.matches:,} match deals" if results.matches else ""
    return (
        f"{results.config.rules.name}: {results.deals:,} deals{matches}, seed {results.config.seed}, "
        f"{results.hands:,} hands in {results.seconds:.0f} s"
    )


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )


# --- For programs -----------------------------------------------------------------------------------------------------


def results_csv(results: Results) -> str:
    """One line an ordered pair, x among y's; where x is y only its points tell anything, and it plays no matches."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    pairs = _pairs(results)
    flat = [{k: v for key, value in pair.items() for k, v in _columns(key, value)} for pair in pairs]
    writer.writerow(flat[0])
    writer.writerows(row.values() for row in flat)
    return text.getvalue()


def results_json(results: Results) -> dict[str, Any]:
    """Everything, by name. All but `run` is the same whenever the same tournament is played.

    Deal i of a tournament is that of a table of the first seed + i.
    """
    config, labels = results.config, results.labels
    return {
        "complete": results.complete,
        "config": {
            "rules": config.rules.as_record(),
            "agents": config.agents,
            "deals": config.deals,
            "matches": config.matches,
            "seed": config.seed,
            "on_fault": config.on_fault,
            "timeout": config.timeout,
            "start_timeout": config.start_timeout,
        },
        "rules": config.rules.as_dict(),
        "played": {"deals": results.deals, "matches": results.matches, "hands": results.hands},
        "first_seeds": {name: int(seeds[0]) for name, seeds in config.seeds.items() if len(seeds)},
        "ranking": [
            {
                "agent": labels[standing.agent],
                "edge": _record(standing.edge),
                "gain": _record(standing.gain),
                "points": _record(standing.points),
                "win_share": _record(standing.share),
                "beats": [labels[y] for y in standing.beats],
            }
            for standing in results.ranking()
        ],
        "pairs": _pairs(results),
        "programs": {label: dict(tally) for label, tally in results.tallies.items()},
        "run": {
            "seconds": round(results.seconds, 3),
            "hands_per_second": round(results.hands / results.seconds),
            "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
            "machine": platform.platform(),
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "numba")},
        },
    }


def _pairs(results: Results) -> list[dict[str, Any]]:
    labels, agents = results.labels, range(len(results.labels))
    return [
        {
            "x": labels[x],
            "y": labels[y],
            "points": _record(_estimate(results.points, x, y)),
            "edge": _record(_estimate(results.edges, x, y)),
            "gain": _record(_estimate(results.gains, x, y)),
            "beats": results.beats(x, y),
            "win_share": _record(_estimate(results.shares, x, y)) if results.matches and x != y else None,
            "hands_per_match": float(results.lengths[:, x, y].mean()) if results.matches and x != y else None,
            "truncated": float(results.truncated[:, x, y].mean()) if results.matches and x != y else None,
        }
        for x in agents
        for y in agents
    ]


def _estimate(figures: np.ndarray, x: int, y: int) -> Estimate:
    return Estimate.of(figures[:, x, y])


def _record(estimate: Estimate | None) -> dict[str, float] | None:
    if estimate is None:
        return None
    return {
        "mean": estimate.mean,
        "low": estimate.low,
        "high": estimate.high,
        "deviation": estimate.deviation,
        "deals": estimate.deals,
    }


def _columns(key: str, value: Any) -> list[tuple[str, Any]]:
    if key in ("points", "edge", "gain", "win_share"):
        figures = value or {"mean": "", "low": "", "high": ""}
        return [(key, figures["mean"]), (f"{key}_low", figures["low"]), (f"{key}_high", figures["high"])]
    return [(key, "" if value is None else str(value).lower() if isinstance(value, bool) else value)]


# --- The picture ------------------------------------------------------------------------------------------------------


def payoff_png(results: Results) -> bytes:
    """The payoff matrix as a heat map: points a hand of each row's agent, alone among those of each column."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    order = [standing.agent for standing in results.ranking()]
    labels = [results.labels[x].replace("$", r"\$") for x in order]  # a dollar would begin a formula
    estimates = [[_estimate(results.points, x, y) for y in order] for x in order]
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
            half = (estimate.high - estimate.low) / 2
            axes.text(column, row, f"\n± {half:.2f}", ha="center", va="center", fontsize=9, color=colour)
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
    figure.savefig(content, format="png", dpi=150)
    return content.getvalue()


# --- Files ------------------------------------------------------------------------------------------------------------


def write_report(results: Results, folder: Path | None = None) -> Path:
    """Write all files into a folder, the config's `out` by default; each is whole or as it was before."""
    folder = folder or results.config.out
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / "results.csv", results_csv(results).encode())
    replace_file(folder / "results.json", (json.dumps(results_json(results), indent=2) + "\n").encode())
    replace_file(folder / "payoff.png", payoff_png(results))
    return folder
