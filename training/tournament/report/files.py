"""The files of a report."""

from __future__ import annotations

from pathlib import Path

from buck_env.base.files import replace_file, write_json
from training.tournament.report.data import results_csv, results_json
from training.tournament.report.page import report_page
from training.tournament.report.picture import payoff_png
from training.tournament.results import Results

__all__ = ["write_report"]


def write_report(results: Results, folder: Path | None = None) -> Path:
    """Write all files into a folder, by default the `out` of the config, and return the folder.

    Each file is either written whole or left as it was. The figures are written before the picture and the page.
    """
    folder = folder or results.config.out
    table, record = results_csv(results), results_json(results)
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(folder / "results.csv", table.encode())
    write_json(folder / "results.json", record, indent=2)
    replace_file(folder / "payoff.png", payoff_png(results))
    replace_file(folder / "report.html", report_page(results).encode())
    return folder
