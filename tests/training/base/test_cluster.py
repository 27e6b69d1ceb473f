"""Events on a Ray cluster: the same table, whatever becomes of its nodes."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow.parquet as pq
import pytest
from entrants import AnyLegal, Killed, Rogue, stable
from places import ROOT

from buck_env.base.errors import BuckError
from buck_env.observation.views import Views
from training.cli.app import main
from training.tournament.event import TournamentConfig, play_tournament
from training.tournament.tally import BLOCK

ray = pytest.importorskip("ray", reason="NOT CHECKED: Ray is not installed (pip install 'buck-euchre-rl[ray]')")

from ray.cluster_utils import Cluster  # noqa: E402

SMALL = {"agents": ["doomed", "any"], "deals": 600, "matches": 2, "seed": 5}


class Doomed(AnyLegal):
    """Once three shards have been kept it never answers on one node, and says so by a file, for which others wait."""

    def __init__(self, node: str, stuck: Path) -> None:
        super().__init__()
        self.node, self.stuck = node, stuck

    def act(self, views: Views) -> np.ndarray:
        if ray.is_initialized() and kept(self.stuck.parent) >= 3:
            if ray.get_runtime_context().get_node_id() == self.node:
                self.stuck.touch()
                time.sleep(600)
            wait_until(self.stuck.exists)
        return super().act(views)


def wait_until(met: Callable[[], bool]) -> None:
    """Wait, but not for ever: a test then fails by what it finds."""
    deadline = time.monotonic() + 120
    while not met() and time.monotonic() < deadline:
        time.sleep(0.02)


def kept(folder: Path) -> int:
    """Shards of hands on disk."""
    return len(list(folder.glob("hands/*.parquet")))


def hands_kept(folder: Path) -> int:
    """Hands on disk, while pieces of shards may be joined."""
    hands = 0
    for path in folder.glob("hands/*.parquet"):
        with suppress(FileNotFoundError):
            hands += pq.read_metadata(path).num_rows
    return hands


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head with one core, to which tests add nodes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join(map(str, (ROOT, ROOT / "tests" / "support"))))
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        head = {"num_cpus": 1, "include_dashboard": False, "include_log_monitor": False, "no_monitor": True}
        cluster = Cluster(initialize_head=True, head_node_args=head)
        yield cluster
        cluster.shutdown()


def test_a_node_killed_in_the_midst_of_an_event_changes_nothing(cluster: Any, tmp_path: Path) -> None:
    alone = play_tournament(
        TournamentConfig(**SMALL), {"doomed": AnyLegal(), "any": AnyLegal(101.0)}, shard=1, progress=False
    )
    doomed, stuck = cluster.add_node(num_cpus=1), tmp_path / "stuck"
    at_the_kill = []

    def kill() -> None:
        wait_until(stuck.exists)
        at_the_kill.append(kept(tmp_path))
        cluster.remove_node(doomed, allow_graceful=False)

    killer = threading.Thread(target=kill)
    killer.start()
    results = play_tournament(
        TournamentConfig(**SMALL, ray=cluster.address, out=tmp_path),
        {"doomed": Doomed(doomed.node_id, stuck), "any": AnyLegal(101.0)},
        keep=True, shard=1, progress=False,
    )  # fmt: skip
    killer.join()
    assert stuck.exists()  # a shard was under way on the node, which only its end could end
    assert at_the_kill[0] >= 3
    assert kept(tmp_path) == 600 / BLOCK
    assert stable(results) == stable(alone)
    assert results.complete
    assert results.played == results.hands_played == alone.hands_played
    table = pq.read_table(tmp_path / "hands")
    rows = np.sort(table["deal"].to_numpy() * 1000 + table["seating"].to_numpy())
    seatings = len(results.lineups.seatings)
    assert np.array_equal(rows, np.add.outer(np.arange(600) * 1000, np.arange(seatings)).ravel())
    assert not ray.is_initialized()


def test_an_error_on_a_node_is_raised_as_on_this_machine(cluster: Any) -> None:
    config = TournamentConfig(**{**SMALL, "agents": ["rogue", "any"]}, ray=cluster.address)
    with pytest.raises(BuckError, match=r"^rogue: .*may not action 99"):
        play_tournament(config, {"rogue": Rogue(), "any": AnyLegal()}, shard=1, progress=False)


def test_an_agent_that_cannot_be_copied_is_named() -> None:
    class Locked(AnyLegal):
        def __init__(self) -> None:
            super().__init__()
            self.lock = threading.Lock()

    config = TournamentConfig(**{**SMALL, "agents": ["locked", "any"]}, ray="local")
    with pytest.raises(BuckError, match=r"ray: locked: the agent cannot be sent to other nodes: .*; give its name"):
        play_tournament(config, {"locked": Locked(), "any": AnyLegal()}, progress=False)


def test_an_address_of_the_environment_is_checked_as_any(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "ray://head:10001")
    with pytest.raises(BuckError, match="RAY_ADDRESS: 'ray://head:10001' names no cluster; allowed: HOST:PORT"):
        play_tournament(TournamentConfig(**SMALL, ray="auto"), {"doomed": AnyLegal(), "any": AnyLegal()})


def test_a_cluster_without_cores_is_refused(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray, "cluster_resources", dict)
    config = TournamentConfig(**SMALL, ray=cluster.address)
    with pytest.raises(BuckError, match="the cluster has no cores"):
        play_tournament(config, {"doomed": AnyLegal(), "any": AnyLegal()}, progress=False)
    assert not ray.is_initialized()


def test_a_shard_whose_process_always_dies_is_an_error(cluster: Any) -> None:
    config = TournamentConfig(**{**SMALL, "agents": ["killed", "any"], "deals": BLOCK}, ray=cluster.address)
    with pytest.raises(BuckError, match=r"a job was lost 4 times .*--resume goes on"):
        play_tournament(config, {"killed": Killed(), "any": AnyLegal()}, shard=1, progress=False)


def test_a_node_with_another_bot_is_refused(cluster: Any) -> None:
    class Other(AnyLegal):
        @property
        def sha256(self) -> str:
            return str(os.getpid())

    config = TournamentConfig(**{**SMALL, "agents": ["other", "any"]}, ray=cluster.address)
    with pytest.raises(BuckError, match=r"other versions of the game or its bots: .*'other': "):
        play_tournament(config, {"other": Other(), "any": AnyLegal()}, shard=1, progress=False)


def test_ctrl_c_keeps_shards_leaves_no_process_and_can_be_gone_on_with(tmp_path: Path) -> None:
    folder = tmp_path / "stopped"
    command = ["tournament", "ohio", "agents=[rules-v1, random]", "deals=16000", "matches=0", "mixed=0"]
    program = [sys.executable, "-m", "training.cli.app", *command, f"out={folder}", "--ray", "local"]
    process = subprocess.Popen(
        program, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    wait_until(lambda: hands_kept(folder) >= 200)
    started = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    printed, complaints = process.communicate(timeout=60)
    assert (process.returncode, complaints) == (0, "")
    assert "Interrupted" in printed
    assert len(started) > 2
    assert not psutil.wait_procs(started, timeout=10)[1]
    assert main([*command, f"out={folder}", "--resume"]) == 0
    assert main([*command, f"out={tmp_path / 'alone'}"]) == 0
    resumed, alone = (json.loads((tmp_path / name / "results.json").read_text()) for name in ("stopped", "alone"))
    assert resumed.pop("run")["hands"] < alone.pop("run")["hands"]
    assert resumed == alone


def test_a_cluster_that_is_not_there_is_refused_before_ray_tries_to_join_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    tried: list[str] = []
    monkeypatch.setattr(ray, "init", lambda address, **_: tried.append(address))  # it would try for minutes
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        assert main(["tournament", "ohio", f"out={tmp_path / 'out'}", "--ray", address]) == 1
    assert tried == []
    error = capsys.readouterr().err
    assert error.startswith(f"buck: ray: {address}: no cluster could be joined: ")
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()
