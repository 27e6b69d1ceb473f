"""The files of a sweep: its table as Markdown and CSV, the runs as CSV, and the picture."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from buck_env.base.files import replace_file
from training.measuring.estimates import Estimate
from training.sweep.config import SweepConfig
from training.sweep.picture import gains_png
from training.sweep.rows import Result, Row, gain_of, rows_of

__all__ = ["sweep_table", "write_files"]


def write_files(config: SweepConfig, results: Sequence[Result]) -> str:
    """Write what at least one run came to into the sweep's folder; the table, as Markdown."""
    axes, rows = [*config.grid], rows_of(results, config.against)
    table = sweep_table(axes, rows)
    folder = Path(config.out)
    for name, data in {
        "table.md": table.encode(),
        "table.csv": _csv(_table(axes, rows)),
        "runs.csv": _csv(_runs(axes, results, config.against)),
        "gains.png": gains_png(rows),
    }.items():
        replace_file(folder / name, data)
    return table


def sweep_table(axes: Sequence[str], rows: Iterable[Row]) -> str:
    """The table as Markdown: a line for each row, with both intervals."""
    headings = [*axes, "over", "seeds", "gain", "interval over seeds", "interval over deals", "seconds"]
    lines = [
        [
            *row.choices, row.against, str(row.seeds), f"{row.over_deals.mean:+.3f}", _bounds(row.over_seeds),
            _bounds(row.over_deals), f"{row.seconds:.0f}",
        ]
        for row in rows
    ]  # fmt: skip
    return "".join(map(_line, [headings, ["---"] * len(headings), *lines]))


def _line(cells: Iterable[str]) -> str:
    return "| " + " | ".join(text.replace("|", r"\|") for text in cells) + " |\n"


def _bounds(estimate: Estimate | None) -> str:
    return f"[{estimate.low:.3f}, {estimate.high:.3f}]" if estimate else ""


def _table(axes: Sequence[str], rows: Iterable[Row]) -> Iterable[Sequence[Any]]:
    yield [*axes, "against", "seeds", "mean", "seeds_low", "seeds_high", "deals_low", "deals_high", "seconds"]
    for row in rows:
        seeds = ("", "") if row.over_seeds is None else (row.over_seeds.low, row.over_seeds.high)
        deals = row.over_deals
        yield [*row.choices, row.against, row.seeds, deals.mean, *seeds, deals.low, deals.high, row.seconds]


def _runs(axes: Sequence[str], results: Iterable[Result], against: Sequence[str]) -> Iterable[Sequence[Any]]:
    yield [*axes, "seed", "against", "mean", "low", "high", "decisions", "seconds", "agent"]
    for cell, figures in results:
        for name in against:
            gain, rest = gain_of(figures, name), [figures[key] for key in ("decisions", "seconds", "agent")]
            yield [*cell.choices, cell.run.seed, name, gain.mean, gain.low, gain.high, *rest]


def _csv(lines: Iterable[Sequence[Any]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()
