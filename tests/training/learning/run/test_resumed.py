"""Runs that are resumed: they end as runs left alone, even where they were killed."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from runs import SMALL, checksum, logged_steps, run

from buck_env import load_rules
from training.learning.run.checkpoint import CHECKPOINT
from training.learning.run.loop import Run
from training.learning.self_play import SelfPlayLearner, TrainConfig

OPTIONS: dict[str, Any] = {
    "opponents": ["random"],
    "snapshots": 2,
    "snapshot_every": 2,
    "oracle_critic": True,
    "magnet": 0.01,
}
PLAYOUTS: dict[str, Any] = {
    "oracle_critic": True,
    "playouts": True,
    "playout_weight": 1.0,
    "playout_gradient": 4.0,
    "playout_correction": True,
    "opponents": ["rules-v1"],
}


@pytest.mark.parametrize("options", [{}, OPTIONS, PLAYOUTS, {"objective": "win"}, {"learn": ["stay"]}])
def test_a_resumed_run_ends_as_one_left_alone(options: dict[str, Any], tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", decisions=7_000, **options)
    stopped = tmp_path / "stopped"
    config = TrainConfig(out=str(stopped), **{**SMALL, **options, "decisions": 7_000})
    rules = load_rules(config.rules)
    half = Run(config, rules, SelfPlayLearner(config, rules), resume=False)
    while half.learner.decisions < 3_000:
        half.iterate()
    half.save_checkpoint()
    half.close()
    run(stopped, decisions=7_000, resume=True, **options)
    is_the_same_run(stopped, whole)


def is_the_same_run(folder: Path, alone: Path) -> None:
    """The same weights, and the same steps logged, none of them twice."""
    assert checksum(folder) == checksum(alone)
    steps = logged_steps(folder)
    assert all(at == sorted(set(at)) for at in steps.values())
    assert steps["policy/loss"] == logged_steps(alone)["policy/loss"]


def killed(folder: Path, settings: dict[str, Any], pauses: Iterable[float]) -> int:
    """Begin a run and kill it once it has written a checkpoint and so many seconds more have passed, then resume and
    kill it again, and so on; how often it was killed before its end."""
    config = folder.with_suffix(".yaml")
    config.write_text(json.dumps({**settings, "out": str(folder)}))
    command = [sys.executable, "-m", "training.cli.app", "train", str(config)]
    checkpoint = folder / CHECKPOINT
    kills = 0
    for pause in pauses:
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else None
        how = "--anew" if before is None else "--resume"
        process = subprocess.Popen([*command, how], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before):
            time.sleep(0.002)
        time.sleep(pause)
        kills += process.poll() is None
        process.kill()
        process.wait()
    return kills


def kill_and_compare(folder: Path, pauses: list[float], decisions: int, least: int) -> None:
    settings = {**SMALL, **OPTIONS, "checkpoint": 1, "decisions": decisions}
    assert killed(folder / "killed", settings, pauses) >= least
    run(folder / "killed", resume=True, **settings)
    is_the_same_run(folder / "killed", run(folder / "alone", **{**settings, "checkpoint": 0}))


def test_a_run_killed_at_random_moments_ends_with_the_same_weights(tmp_path: Path) -> None:
    moments = random.Random(1)
    kill_and_compare(tmp_path, [0.3 * moments.random() for _ in range(2)], 40_000, least=1)


@pytest.mark.soak
def test_a_run_killed_time_and_again_ends_with_the_same_weights(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    kills, moments = pytestconfig.getoption("kills"), random.Random(20)
    pauses = [0.5 * moments.random() for _ in range(kills)]
    kill_and_compare(tmp_path, pauses, 20_000 * kills, least=3 * kills // 4)
