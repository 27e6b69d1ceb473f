"""The files of a report."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest
from events import run
from places import ROOT

from buck_env import RULES_VERSION
from training.measuring.duplicate import deal_seeds
from training.tournament.report.data import results_csv
from training.tournament.report.files import write_report


def test_report_files_hold_every_pair(tmp_path: Path) -> None:
    results = run(out=str(tmp_path / "a" / "b"))
    folder = write_report(results)
    assert sorted(path.name for path in folder.iterdir()) == [
        "payoff.png",
        "report.html",
        "results.csv",
        "results.json",
    ]
    assert (folder / "payoff.png").read_bytes().startswith(b"\x89PNG")
    written = json.loads((folder / "results.json").read_text())
    assert written["complete"] is True
    assert written["rules"]["start"] == 25
    assert len(written["pairs"]) == 9
    lines = list(csv.DictReader(results_csv(results).splitlines()))
    assert written["versions"]["rules"] == RULES_VERSION
    for pair, line in zip(written["pairs"], lines, strict=True):
        assert (line["x"], line["y"]) == (pair["x"], pair["y"])
        for measure in (
            "points",
            "edge",
            "edge_adjusted",
            "gain",
            "gain_adjusted",
            *(["win_share"] if pair["x"] != pair["y"] else []),
        ):
            assert float(line[measure]) == pair[measure]["mean"]
            assert float(line[f"{measure}_low"]) == pair[measure]["low"]
    assert written["first_seeds"]["hands"] == deal_seeds(5, 1)[0]


def test_a_report_that_fails_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = run(matches=0)
    write_report(results, tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    monkeypatch.setattr("training.tournament.report.files.results_json", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(results, tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_figures_are_written_before_the_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("training.tournament.report.files.payoff_png", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        write_report(run(matches=0), tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["results.csv", "results.json"]


def test_a_report_imports_no_torch_and_no_matplotlib_before_the_picture() -> None:
    imports = "import sys, training.tournament.report.files, training.tournament.report.table"
    code = f"{imports}; sys.exit('torch' in sys.modules or 'matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
