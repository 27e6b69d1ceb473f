"""Sweeps: what is kept, what is done again, and their files."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from places import ROOT
from sweeps.pretended import run_of

from buck_env import BuckError
from training.cli.app import main
from training.sweep.config import SweepConfig
from training.sweep.sweep import sweep


def small(folder: Path, **changes: Any) -> SweepConfig:
    given = {"grid": {"decisions": [100, 200]}, "seeds": [1, 2], "deals": 20, "out": str(folder), **changes}
    return SweepConfig(**given)


def lines(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text().splitlines()))


def done(folder: Path) -> list[str]:
    """The seeds of the runs that were carried out, with a plus where one went on from its checkpoint."""
    return (folder / "runs" / "done.txt").read_text().split()


def places(folder: Path) -> set[int]:
    """The processes that carried runs out."""
    return set(map(int, (folder / "runs" / "places.txt").read_text().split()))


quiet: Callable[[str], None] = partial(str)


def test_figures_files_and_picture_follow_from_the_runs(tmp_path: Path) -> None:
    table = sweep(small(tmp_path, against=["rules-v1", "random"]), run_of, quiet)
    assert table == (tmp_path / "table.md").read_text()
    rows = lines(tmp_path / "table.csv")
    runs = lines(tmp_path / "runs.csv")
    assert [(row["decisions"], row["against"], row["seeds"]) for row in rows] == [
        (decisions, against, "2") for decisions in ("100", "200") for against in ("rules-v1", "random")
    ]
    assert [(run["seed"], run["agent"]) for run in runs[::2]] == 2 * [("1", "random"), ("2", "rules-v1")]
    for row in rows:
        means = [
            float(run["mean"]) for run in runs
            if (run["decisions"], run["against"]) == (row["decisions"], row["against"])
        ]  # fmt: skip
        assert float(row["mean"]) == pytest.approx(sum(means) / 2)
        half = 12.706204736 * abs(means[0] - means[1]) / 2  # Student's t with one degree of freedom
        assert float(row["seeds_high"]) - float(row["mean"]) == pytest.approx(half)
        assert float(row["deals_low"]) < float(row["mean"]) < float(row["deals_high"])
        assert row["seconds"] == "15.0"
    assert {run["mean"] for run in runs if run["agent"] == run["against"]} == {"0.0"}
    with Image.open(tmp_path / "gains.png") as drawn:
        assert drawn.width == 960


def test_runs_that_are_kept_are_not_done_again(tmp_path: Path) -> None:
    first = sweep(small(tmp_path), run_of, quiet)
    assert done(tmp_path) == ["1", "2", "1", "2"]
    with pytest.raises(BuckError, match="holds a sweep already; --resume goes on with it"):
        sweep(small(tmp_path), run_of, quiet)
    assert sweep(small(tmp_path), run_of, quiet, resume=True) == first
    assert len(done(tmp_path)) == 4
    sweep(small(tmp_path, seeds=[1, 2, 3]), run_of, quiet, resume=True)
    assert done(tmp_path)[4:] == ["3", "3"]
    sweep(small(tmp_path, deals=30), run_of, quiet, resume=True)  # other deals measure: other figures
    assert len(done(tmp_path)) == 10
    assert sweep(small(tmp_path), run_of, quiet, anew=True) == first
    assert len(done(tmp_path)) == 14


def test_a_run_that_was_interrupted_ends_the_sweep_with_a_table_of_the_others(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "stop").touch()
    table = sweep(small(tmp_path), run_of, quiet)
    assert len(table.splitlines()) == 3
    (tmp_path / "runs" / "stop").unlink()
    assert sweep(small(tmp_path), run_of, quiet, resume=True) == sweep(small(tmp_path / "alone"), run_of, quiet)
    assert done(tmp_path) == ["1", "2", "2+", "1", "2"]


def test_an_interrupted_sweep_without_a_single_run_has_no_table(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "stop").touch()
    with pytest.raises(KeyboardInterrupt):
        sweep(small(tmp_path, seeds=[2]), run_of, quiet)
    assert not (tmp_path / "table.md").exists()


@pytest.mark.parametrize("how", ["resume", "anew"])
def test_a_sweep_whose_first_run_was_interrupted_goes_on_or_begins_anew_on_request(how: str, tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "stop").touch()
    with pytest.raises(KeyboardInterrupt):
        sweep(small(tmp_path, seeds=[2, 1]), run_of, quiet)
    (tmp_path / "runs" / "stop").unlink()
    with pytest.raises(BuckError, match="holds a sweep already; --resume goes on with it"):
        sweep(small(tmp_path, seeds=[2, 1]), run_of, quiet)
    assert done(tmp_path) == ["2"]
    sweep(small(tmp_path, seeds=[2, 1]), run_of, quiet, **{how: True})
    assert done(tmp_path)[1:] == ["2+" if how == "resume" else "2", "1", "2", "1"]


def test_where_no_sweep_was_begun_there_is_none_to_resume(tmp_path: Path) -> None:
    with pytest.raises(BuckError, match="holds no sweep to resume; leave out --resume"):
        sweep(small(tmp_path), run_of, quiet, resume=True)


def test_processes_change_nothing(tmp_path: Path) -> None:
    alone = sweep(small(tmp_path / "alone"), run_of, quiet)
    assert sweep(small(tmp_path / "two", processes=2), run_of, quiet) == alone
    assert os.getpid() in places(tmp_path / "alone") - places(tmp_path / "two")


def test_a_ray_cluster_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("ray", reason="NOT CHECKED: Ray is not installed (pip install 'buck-euchre-rl[ray]')")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, (ROOT, ROOT / "tests" / "support"))))
    alone = sweep(small(tmp_path / "alone"), run_of, quiet)
    assert sweep(small(tmp_path / "ray", ray="local"), run_of, quiet) == alone
    assert os.getpid() not in places(tmp_path / "ray")
    assert lines(tmp_path / "ray" / "runs.csv") == lines(tmp_path / "alone" / "runs.csv")
    sweep(small(tmp_path / "ray", ray="local", seeds=[1, 2, 3]), run_of, quiet, resume=True)
    assert done(tmp_path / "ray")[4:] == ["3", "3"]


def test_one_seed_has_no_interval_over_seeds(tmp_path: Path) -> None:
    table = sweep(small(tmp_path, seeds=[3], grid={}), run_of, quiet)
    assert table.splitlines()[2].split(" | ")[3] == ""
    rows = lines(tmp_path / "table.csv")
    assert (rows[0]["seeds_low"], rows[0]["seeds_high"]) == ("", "")


def test_the_command_trains_measures_and_goes_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    settings = "settings={rules: bucked-3, decisions: 1500, tables: 64, steps: 16, hidden: [16], minibatch: 256}"
    given = ["sweep", "demo", settings, "grid={learn: {all: {}, stay: {learn: [stay]}}}", "seeds=[1]", "deals=20"]
    assert main([*given, "config=options", f"out={tmp_path}"]) == 0
    assert capsys.readouterr().out.count("| rules-v1 |") == 2
    assert "phases:stay=ppo:" in (tmp_path / "runs.csv").read_text()
    assert main([*given, "config=options", f"out={tmp_path}", "--resume"]) == 0
    assert "2 runs, 2 of them kept" in capsys.readouterr().out
