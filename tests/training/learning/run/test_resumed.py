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
    half = at_least(3_000, stopped, {**SMALL, **options, "decisions": 7_000})
    half.save_checkpoint()
    half.close()
    run(stopped, decisions=7_000, resume=True, **options)
    is_the_same_run(stopped, whole)


def at_least(decisions: int, folder: Path, settings: dict[str, Any], *, resume: bool = False) -> Run:
    """A run that has learned from so many decisions, or more."""
    config = TrainConfig(out=str(folder), **settings)
    rules = load_rules(config.rules)
    begun = Run(config, rules, SelfPlayLearner(config, rules), resume=resume)
    while begun.learner.decisions < decisions:
        begun.iterate()
    return begun


def is_the_same_run(folder: Path, alone: Path) -> None:
    """The same weights, and the same steps logged, none of them twice."""
    assert checksum(folder) == checksum(alone)
    steps = logged_steps(folder)
    assert all(at == sorted(set(at)) for at in steps.values())
    assert steps["policy/loss"] == logged_steps(alone)["policy/loss"]


def kill(folder: Path, settings: dict[str, Any], pauses: Iterable[float]) -> None:
    """Begin a run and kill it once it has written a checkpoint and so many seconds more have passed, then resume and
    kill it again, and so on."""
    config = folder.with_suffix(".yaml")
    config.write_text(json.dumps({**settings, "out": str(folder)}))
    command = [sys.executable, "-m", "training.cli.app", "train", str(config)]
    checkpoint = folder / CHECKPOINT
    for kills, pause in enumerate(pauses):
        before = checkpoint.stat().st_mtime_ns if checkpoint.exists() else None
        how = "--anew" if before is None else "--resume"
        process = subprocess.Popen([*command, how], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not checkpoint.exists() or checkpoint.stat().st_mtime_ns == before):
            time.sleep(0.002)
        time.sleep(pause)
        ended = process.poll()
        process.kill()
        process.wait()
        assert ended is None, f"the run ended by itself, with {ended}, after {kills} kills"


def kill_and_compare(folder: Path, pauses: list[float]) -> None:
    settings = {**SMALL, **OPTIONS, "checkpoint": 1, "decisions": 10**12}  # it does not end by itself
    kill(folder / "killed", settings, pauses)
    resumed = at_least(0, folder / "killed", settings, resume=True)
    resumed.iterate()
    alone = at_least(resumed.learner.decisions, folder / "alone", settings)
    for either in (resumed, alone):
        either.save_bot()
        either.close()
    is_the_same_run(folder / "killed", folder / "alone")


def test_a_run_killed_at_random_moments_ends_with_the_same_weights(tmp_path: Path) -> None:
    moments = random.Random(1)
    kill_and_compare(tmp_path, [0.3 * moments.random() for _ in range(2)])


@pytest.mark.soak
def test_a_run_killed_time_and_again_ends_with_the_same_weights(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    moments = random.Random(20)
    kill_and_compare(tmp_path, [0.5 * moments.random() for _ in range(pytestconfig.getoption("kills"))])
