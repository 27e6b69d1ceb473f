"""How fast events are played: what is counted, and the file of figures."""

from __future__ import annotations

import json
import math
import shutil
from pathlib import Path

import pytest
from clocks import Clock

from agents import load_agent
from buck_env import __version__, load_rules
from training.bench import tournament
from training.tournament.lineups import make_lineups
from training.tournament.tally import BLOCK

SEATINGS = len(make_lineups(2, 4, 1, seed=0).seatings)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of one block, on one core."""
    monkeypatch.setattr(tournament, "SHARD", BLOCK * SEATINGS)
    monkeypatch.setattr("os.sched_getaffinity", lambda _: {0}, raising=False)


def test_the_hands_of_the_first_three_shards_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules("ohio")
    monkeypatch.setattr(tournament, "time", Clock())
    agents = {label: load_agent("random", rules) for label in "ab"}
    assert tournament._rate(rules, agents, 1, 0.0) == BLOCK * SEATINGS  # a shard a second, by this clock


def test_figures_are_numbers_and_written_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "new" / "figures.json"
    tournament.bench_tournament(0.0, out)
    figures = json.loads(out.read_text())
    assert (figures.pop("version"), figures.pop("cores")) == (__version__, 1)
    programs = ["a program of node, 1 process", "the same with plain facts"] if shutil.which("node") else []
    assert list(figures) == ["rules-v1, 1 process", "networks of 128 and 128, 1 process", *programs]
    assert all(math.isfinite(figure) and figure > 0 for figure in figures.values())
    assert capsys.readouterr().out.endswith(f"figures: {out}\n")
    assert [path.name for path in out.parent.iterdir()] == ["figures.json"]
