"""The playing of an event: repeatable, however it is split up, ended early or interrupted."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from entrants import stable
from events import AGENTS, Interrupted, played, run, small
from places import ROOT

from buck_env.base.errors import BuckError
from training.cli.app import main
from training.tournament.event import play_tournament
from training.tournament.report.data import results_json
from training.tournament.report.files import write_report
from training.tournament.report.table import results_table
from training.tournament.run import LEAST, narrow


def test_the_same_tournament_again_is_the_same_and_another_seed_is_not() -> None:
    assert stable(run()) == stable(run())
    assert run(seed=6).pair("points", 0, 1) != run().pair("points", 0, 1)


def test_until_stops_at_narrow_intervals_and_after_500_deals_at_least() -> None:
    names = {"agents": ["random", "rules-v1"], "mixed": 0, "matches": 0}
    whole = play_tournament(small(**names, deals=700), progress=False)
    wide = play_tournament(small(**names, deals=700, until=5.0), progress=False)
    assert wide.deals == LEAST
    assert wide.complete
    assert narrow(wide.hands) <= 5
    until = narrow(whole.hands) * 1.04
    results = play_tournament(small(**names, deals=10_000, until=until), progress=False, shard=1)
    assert LEAST < results.deals <= 700
    assert narrow(results.hands) <= until
    assert stable(results) == stable(play_tournament(small(**names, deals=10_000, until=until), progress=False))
    same = play_tournament(small(**names, deals=results.deals), progress=False)
    assert results_json(same)["ranking"] == results_json(results)["ranking"]


def test_an_interrupt_leaves_whole_deals_and_says_so(tmp_path: Path) -> None:
    results = run(shard=1, agents={**AGENTS, "eager": Interrupted(20_000)}, deals=200)
    assert not results.complete
    assert 2 <= results.deals < 200
    assert results.matches is None
    assert results_json(results)["ranking"] == results_json(run(deals=results.deals, matches=0))["ranking"]
    written = json.loads((write_report(results, tmp_path) / "results.json").read_text())
    assert written["complete"] is False
    assert "Interrupted" in results_table(results)


def test_an_interrupt_before_two_deals_is_passed_on() -> None:
    with pytest.raises(KeyboardInterrupt):
        run(agents={**AGENTS, "eager": Interrupted(0)})


@pytest.mark.parametrize("processes", [1, 2])
def test_a_program_none_of_whose_play_is_its_own_ends_the_event_and_nothing_of_it_is_kept(
    processes: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = shlex.join([sys.executable, "-S", "-c", "pass"])
    names = ["agents={broken: 'cmd:" + broken + "', any: random}", f"processes={processes}", f"out={tmp_path}"]
    assert main(["tournament", "ohio", "deals=2000", "mixed=0", *names]) == 1
    assert "decisions replaced, so that none of this is its own play" in capsys.readouterr().err
    assert not list(tmp_path.glob("hands/*"))
    assert not (tmp_path / "report.html").exists()


def test_without_ray_the_error_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(BuckError, match=r"not installed: pip install 'buck-euchre-rl\[ray\]'"):
        run(ray="local")


def test_the_last_of_the_narrowing_intervals_is_that_of_the_ranking() -> None:
    results = played(deals=330)
    deals = [at for at, _ in results.narrowing]
    assert deals[0] == 50
    assert deals == sorted(set(deals))
    assert deals[-1] == 330
    assert results.narrowing[-1][1] == [standing.ranked_by.half for standing in results.standings]
    early = played(deals=100)
    assert early.narrowing == results.narrowing[: len(early.narrowing)]


CHEAP = """
import resource, sys, time
from pathlib import Path
from training.tournament.event import TournamentConfig, play_tournament
def play(deals):
    config = TournamentConfig(rules="bucked-3", agents={"a": "random", "b": "random"}, deals=deals, mixed=0,
                              out=Path(sys.argv[1]) / str(deals))
    began = time.process_time()
    play_tournament(config, keep=True, progress=False)
    return time.process_time() - began
play(2_000)
print(*(play(int(deals)) for deals in sys.argv[2:]), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def played_apart(folder: Path, *deals: int) -> list[float]:
    """The seconds of each event that a fresh process plays, then its peak memory."""
    command = [sys.executable, "-c", CHEAP, str(folder), *map(str, deals)]
    run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [float(figure) for figure in run.stdout.split()]


@pytest.mark.soak
def test_memory_does_not_grow_from_ten_thousand_to_a_million_deals(tmp_path: Path) -> None:
    few, many = (played_apart(tmp_path, deals)[-1] for deals in (10_000, 1_000_000))
    assert many < 1.05 * few


@pytest.mark.soak
def test_ten_times_the_deals_take_ten_times_as_long(tmp_path: Path) -> None:
    few, many, _ = played_apart(tmp_path, 30_000, 300_000)
    assert many == pytest.approx(10 * few, rel=0.1)
