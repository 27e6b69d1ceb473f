"""What a tournament found, for people and for programs: a table, and the files of a report."""

from __future__ import annotations

import csv
import io
import json
import platform
import warnings
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

import numpy as np

from buck_env.base.files import replace_file
from training.base.provenance import cores, versions
from training.measuring.behaviour import Rate, rates_of
from training.measuring.duplicate import deal_seeds
from training.measuring.estimates import Estimate
from training.tournament.measures import FURTHER, MEASURES, RANKING, Measure
from training.tournament.report_page import report_page
from training.tournament.results import Results
from training.tournament.wording import cell, columns, gain_text, lead_text, notes, title

__all__ = ["results_csv", "results_json", "results_table", "write_report"]


# --- For the terminal -------------------------------------------------------------------------------------------------


def results_table(results: Results) -> str:
    """The ranking, who is ahead of whom, and the gain of each agent among each other."""
    labels, ranking = results.labels, results.ranking()
    shown, further = (columns(results, measures) for measures in (RANKING, FURTHER))
    rows = [["", "agent", *(_heading(results, measure) for measure in shown)]]
    more = [["", "agent", "lead over the next", *(_heading(results, measure) for measure in further), "rating"]]
    for place, standing in enumerate(ranking, start=1):
        rows.append([str(place), labels[standing.agent], *(cell(standing, measure) for measure in shown)])
        lead = lead_text(results, standing.agent, ranking[place].agent) if place < len(ranking) else ""
        cells = (cell(standing, measure) for measure in further)
        more.append([str(place), labels[standing.agent], lead, *cells, str(standing.rating)])
    order = [standing.agent for standing in ranking]
    pairs = [["gain of", *(f"among {labels[y]}" for y in order)]]
    pairs += [[labels[x], *("" if x == y else gain_text(results, x, y) for y in order)] for x in order]
    return "\n\n".join([title(results), _aligned(rows), _aligned(more), _aligned(pairs), "\n".join(notes(results))])


def _heading(results: Results, measure: Measure) -> str:
    """The heading of a measure; of a share of matches also what is even."""
    return f"{measure.heading} (par {1 / results.config.rules.seats:.2f})" if measure.of_matches else measure.heading


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
    """Everything, by name. All but `run` is the same whenever the same event is played.

    Deal i is that of a table of the first seed + i.
    """
    config, labels = results.config, results.labels
    rates = rates_of(config.rules, results.hands.behaviour)
    return {
        "complete": results.complete,
        "config": {
            "rules": config.rules.as_record(),
            "agents": config.agents,
            "deals": config.deals,
            "matches": config.matches,
            "mixed": config.mixed,
            "until": config.until,
            "seed": config.seed,
            "on_fault": config.on_fault,
            "timeout": config.timeout,
            "start_timeout": config.start_timeout,
        },
        "rules": config.rules.as_dict(),
        "versions": versions(),
        "sha256": results.checksums,
        "played": {"deals": results.deals, "matches": results.match_deals, "hands": results.hands_played},
        "first_seeds": {
            name: int(deal_seeds(config.seed, 1, stream)[0])
            for name, stream, deals in (("hands", 0, results.deals), ("matches", 1, results.match_deals))
            if deals
        },
        "ranking": [
            {
                "agent": labels[standing.agent],
                **{measure.key: _record(standing.measures[measure.key]) for measure in (*RANKING, *FURTHER)},
                "rating": {"value": standing.rating.value, "low": standing.rating.low, "high": standing.rating.high},
                "beats": [labels[y] for y in standing.beats],
            }
            for standing in results.ranking()
        ],
        "leads": [
            {"x": labels[x], "y": labels[y], "lead": _record(lead), "p": lead.p, "p_holm": p}
            for (x, y), (lead, p) in results.leads.items()
        ],
        "pairs": _pairs(results),
        "behaviour": {label: _behaviour(rates, results.hands.behaviour[x]) for x, label in enumerate(labels)},
        "narrowing": [
            {"deals": deals, "edge_half": dict(zip(labels, halves, strict=True))} for deals, halves in results.narrowing
        ],
        "swings": [
            {
                "x": labels[swing.x],
                "y": labels[swing.y],
                "deal": swing.deal,
                "seat": swing.seat,
                "points": swing.points,
                "played_again": swing.records is not None,
            }
            for swing in results.swings
        ],
        "programs": {label: dict(tally) for label, tally in results.tallies.items()},
        "run": {
            "seconds": round(results.seconds, 3),
            "hands": results.played,
            "hands_per_second": round(results.played / results.seconds),
            "processes": config.processes,
            "ray": config.ray,
            "cores": cores(),
            "machine": platform.platform(),
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "numba")},
        },
    }


def _behaviour(rates: Sequence[Rate], counts: np.ndarray) -> dict[str, Any]:
    """Rates of an agent's counts (S,) BEHAVIOUR, in all and by seat from the dealer, each with what it is out of."""
    return {
        rate.name: {
            "phase": rate.phase or None,
            "meaning": rate.meaning,
            **_of(rate, counts),
            "by_seat_from_dealer": [_of(rate, place) for place in counts],
        }
        for rate in rates
    }


def _of(rate: Rate, counts: np.ndarray) -> dict[str, Any]:
    part, whole = rate.of(counts)
    return {"rate": part / whole if whole else None, "part": part, "of": whole}


def _pairs(results: Results) -> list[dict[str, Any]]:
    agents = range(len(results.labels))
    return [_pair(results, x, y) for x in agents for y in agents]


def _pair(results: Results, x: int, y: int) -> dict[str, Any]:
    matches = results.matches if x != y else None
    length, cut = matches.length(x, y) if matches else (None, None)
    quantities: tuple[Literal["edge", "gain"], ...] = ("edge", "gain")
    records = {key: _record(estimate) for key, estimate in results.pair_measures(x, y).items()}
    of_matches = {measure.key: records.pop(measure.key) for measure in MEASURES if measure.of_matches}
    return {
        "x": results.labels[x],
        "y": results.labels[y],
        **records,
        "beats": results.beats(x, y),
        "beats_holm": bool(results.clear[x, y]),
        **of_matches,
        "hands_per_match": length,
        "truncated": cut,
        "variance_ratio": {
            measure: {
                "rotation": results.hands.variance_ratio(measure, x, y),
                "adjusted": results.hands.variance_ratio(measure, x, y, adjusted=True),
            }
            for measure in quantities
        }
        if x != y
        else None,
    }


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
    if key in {measure.key for measure in MEASURES}:
        figures = value or {"mean": "", "low": "", "high": ""}
        return [(key, figures["mean"]), (f"{key}_low", figures["low"]), (f"{key}_high", figures["high"])]
    if key == "variance_ratio":
        return [
            (f"{key}_{measure}_{by}", value[measure][by] if value else "")
            for measure in ("edge", "gain")
            for by in ("rotation", "adjusted")
        ]
    return [(key, "" if value is None else str(value).lower() if isinstance(value, bool) else value)]


# --- The picture ------------------------------------------------------------------------------------------------------


def payoff_png(results: Results) -> bytes:
    """The payoff matrix as a heat map: points a hand of each row's agent, alone among those of each column."""
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


# --- Files ------------------------------------------------------------------------------------------------------------


def write_report(results: Results, folder: Path | None = None) -> Path:
    """Write all files into a folder, the config's `out` by default; each is whole or as it was before."""
    folder = folder or results.config.out
    folder.mkdir(parents=True, exist_ok=True)
    table, record = results_csv(results), json.dumps(results_json(results), indent=2) + "\n"
    replace_file(folder / "results.csv", table.encode())
    replace_file(folder / "results.json", record.encode())
    replace_file(folder / "payoff.png", payoff_png(results))
    replace_file(folder / "report.html", report_page(results).encode())
    return folder
