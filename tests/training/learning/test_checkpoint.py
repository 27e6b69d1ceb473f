"""Runs that are killed and gone on with: the same weights, figures that never repeat, damage told."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import ROOT
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from agents import load_agent
from buck_env import BuckError, load_rules
from training.learning.checkpoint import CHECKPOINT, CheckpointError, read_checkpoint, write_checkpoint
from training.learning.run import Run
from training.learning.self_play import Learner, TrainConfig, train

OPTIONS = {"opponents": ["random"], "snapshots": 2, "snapshot_every": 2, "oracle_critic": True, "magnet": 0.01}
PLAYOUTS: dict[str, Any] = {
    "oracle_critic": True,
    "playouts": True,
    "playout_weight": 1.0,
    "playout_gradient": 4.0,
    "playout_correction": True,
    "opponents": ["rules-v1"],
}
SMALL: dict[str, Any] = {"tables": 64, "steps": 16, "hidden": [32], "minibatch": 256, "evaluate": 0, "checkpoint": 2}


def run(folder: Path, **changes: Any) -> Path:
    how = {name: changes.pop(name) for name in ("resume", "anew") if name in changes}
    return train(TrainConfig(out=str(folder), **{**SMALL, **changes}), say=lambda _: None, **how)


def checksum(folder: Path) -> str:
    return str(json.loads((folder / "bot.json").read_text())["sha256"])


def logged_steps(folder: Path) -> dict[str, list[int]]:
    events = EventAccumulator(str(folder / "logs"), size_guidance={"scalars": 0})
    events.Reload()
    return {tag: [event.step for event in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def test_the_end_of_a_run_says_what_its_bot_is_called_and_a_spent_budget_that_it_is(tmp_path: Path) -> None:
    for rules, learn, name in (
        ("ohio", None, "ppo:{}"),
        ("dirty-clubs", ["stay", "bid"], "phases:stay+bid=ppo:{},else=random"),
    ):
        out, said = tmp_path / rules, list[str]()
        config = TrainConfig(out=str(out), rules=rules, learn=learn, otherwise="random", decisions=1_000, **SMALL)
        train(config, said.append)
        assert said[-1] == f"plays {rules} as {name.format(out)}"
        assert load_agent(name.format(out), rules)
        bot = checksum(out)
        train(config, said.append, resume=True)
        assert any("its budget is spent, and more decisions= would" in line for line in said)
        assert checksum(out) == bot


def test_a_run_by_rules_that_have_changed_since_is_not_gone_on_with(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("base: bucked\ntarget: 15\n")
    run(tmp_path / "bot", rules=str(house), decisions=1_000)
    house.write_text("base: bucked\ntarget: 16\n")
    with pytest.raises(CheckpointError, match=r"is of other rules than .*house\.yaml has now; --anew begins a run"):
        run(tmp_path / "bot", rules=str(house), decisions=2_000, resume=True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"opponents": ["nobody"]},
        {"references": ["nobody"]},
        {"initial": "nowhere"},
        {"device": "xyz"},
        {"rules": "bucked", "initial": "IT"},
    ],
)
def test_a_run_is_replaced_only_by_one_that_can_begin(wrong: dict[str, Any], tmp_path: Path) -> None:
    folder = run(tmp_path / "bot", decisions=1_000)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(BuckError):
        run(folder, anew=True, **{key: str(folder) if value == "IT" else value for key, value in wrong.items()})
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_run_may_begin_from_the_bot_that_it_replaces(tmp_path: Path) -> None:
    folder = run(tmp_path / "bot", decisions=1_000)
    before = checksum(folder)
    run(folder, anew=True, initial=str(folder), decisions=1_000)
    assert checksum(folder) != before
    assert len(list((folder / "logs").glob("events*"))) == 1


@pytest.mark.parametrize("device", ["xyz", "meta", "cpu:7", "cuda:99"])
def test_a_device_that_is_not_there_is_told(device: str, tmp_path: Path) -> None:
    with pytest.raises(BuckError, match=f"device: '{device}' is not here, or not learned on; allowed: cpu"):
        run(tmp_path / "bot", device=device)


def test_the_clock_of_a_run_leaves_out_compiling_and_pauses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, compiled = [100.0], [5.0]
    monkeypatch.setattr("training.learning.run.time.monotonic", lambda: now[0])
    monkeypatch.setattr("training.learning.run.compile_seconds", lambda: compiled[0])
    config = TrainConfig(out=str(tmp_path / "bot"), decisions=1_000, **SMALL)
    rules = load_rules(config.rules)
    half = Run(config, rules, Learner(config, rules), resume=False)
    now[0], compiled[0] = 110.0, 9.0
    with half.paused():
        now[0] = 150.0
    now[0] = 152.0
    assert half.seconds == 8.0
    half.close()


def test_a_run_goes_on_where_nobody_reads_what_it_tells(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(bar: Any, text: str) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("training.learning.run.tqdm.write", gone)
    config = TrainConfig(out=str(tmp_path / "bot"), decisions=3_000, **{**SMALL, "evaluate": 1, "evaluate_deals": 2})
    train(config, say=lambda _: None)
    assert json.loads((tmp_path / "bot" / "bot.json").read_text())["decisions"] >= 3_000


@pytest.mark.parametrize("options", [{}, OPTIONS, PLAYOUTS, {"objective": "win"}, {"learn": ["stay"]}])
def test_a_run_gone_on_with_ends_as_one_left_alone(options: dict[str, Any], tmp_path: Path) -> None:
    whole = run(tmp_path / "whole", decisions=9_000, **options)
    stopped = tmp_path / "stopped"
    config = TrainConfig(out=str(stopped), decisions=9_000, **{**SMALL, **options})
    rules = load_rules(config.rules)
    half = Run(config, rules, Learner(config, rules), resume=False)
    while half.learner.decisions < 4_000:
        half.iterate()
    half.save_checkpoint()
    half.close()
    run(stopped, decisions=9_000, resume=True, **options)
    assert checksum(stopped) == checksum(whole)
    for steps in logged_steps(stopped).values():
        assert steps == sorted(set(steps))
    assert logged_steps(stopped)["policy/loss"] == logged_steps(whole)["policy/loss"]


def killed_at_random(folder: Path, times: int, rng: random.Random, decisions: int) -> int:
    """Kill a run again and again at random moments, then let it end; how often it was killed."""
    config = folder.with_suffix(".yaml")
    config.write_text(json.dumps({**SMALL, "checkpoint": 1, **OPTIONS, "decisions": decisions, "out": str(folder)}))
    command = [sys.executable, "-m", "training.cli.app", "train", str(config)]
    kills = 0
    for _ in range(times):
        resume = ["--resume"] if (folder / CHECKPOINT).exists() else ["--anew"]
        process = subprocess.Popen([*command, *resume], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found = (folder / CHECKPOINT).stat().st_mtime_ns if (folder / CHECKPOINT).exists() else 0
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:  # learning has begun when a checkpoint is written
            if (folder / CHECKPOINT).exists() and (folder / CHECKPOINT).stat().st_mtime_ns != found:
                break
            time.sleep(0.002)
        time.sleep(rng.random() * 0.5)
        if process.poll() is None:
            kills += 1
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run([*command, "--resume"], cwd=ROOT, check=True, capture_output=True)
    return kills


def is_the_run_left_alone(folder: Path, alone: Path, decisions: int) -> None:
    run(alone, decisions=decisions, checkpoint=0, **OPTIONS)
    assert checksum(folder) == checksum(alone)
    for tag, steps in logged_steps(folder).items():
        assert steps == sorted(set(steps)), tag
    assert logged_steps(folder)["policy/loss"] == logged_steps(alone)["policy/loss"]


def test_a_run_killed_at_random_moments_ends_with_the_same_weights(tmp_path: Path) -> None:
    assert killed_at_random(tmp_path / "killed", 2, random.Random(os.getpid()), 60_000) > 0
    is_the_run_left_alone(tmp_path / "killed", tmp_path / "alone", 60_000)


@pytest.mark.soak
def test_a_run_killed_20_times_ends_with_the_same_weights(tmp_path: Path) -> None:
    assert killed_at_random(tmp_path / "killed", 20, random.Random(os.getpid()), 400_000) >= 15
    is_the_run_left_alone(tmp_path / "killed", tmp_path / "alone", 400_000)


def test_a_checkpoint_is_as_it_was_or_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_checkpoint(tmp_path, {"a": np.arange(3)}, {"n": 1})

    def fail(*_: Any) -> None:
        raise OSError(28, "no space left")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(OSError, match="no space"):
        write_checkpoint(tmp_path, {"a": np.arange(4)}, {"n": 2})
    arrays, facts = read_checkpoint(tmp_path)
    assert arrays["a"].tolist() == [0, 1, 2]
    assert facts == {"n": 1}


def test_damaged_foreign_and_missing_checkpoints_are_told(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="train without --resume"):
        run(tmp_path / "none", resume=True)
    folder = run(tmp_path / "run", decisions=2_000)
    data = (folder / CHECKPOINT).read_bytes()
    for damaged in (data[:100], data[: len(data) // 2], b"", b"PK\x03\x04" + data, bytes(8) + data[8:]):
        (folder / CHECKPOINT).write_bytes(damaged)
        with pytest.raises(CheckpointError, match="checkpoint"):
            run(folder, resume=True)
    (folder / CHECKPOINT).write_bytes(data)
    with pytest.raises(CheckpointError, match=r"hidden is \[32\] in this run"):
        run(folder, hidden=[16], resume=True)
    with pytest.raises(CheckpointError, match="seed is 1 in this run"):
        run(folder, seed=2, resume=True)
    state, facts = read_checkpoint(folder)
    for part in (
        "optimizer.0.exp_avg_sq",
        "optimizer.3.step",
        "rollout.value",
        "rollout.last_row",
        "networks.policy.value.bias",
    ):
        for rest in ({}, {part: np.repeat(np.atleast_1d(state[part]), 2, axis=0)}):
            write_checkpoint(folder, {name: array for name, array in state.items() if name != part} | rest, facts)
            with pytest.raises(CheckpointError, match="is damaged"):
                run(folder, resume=True)
    write_checkpoint(folder, state | {"rollout.following": state["rollout.following"] + 10**6}, facts)
    with pytest.raises(CheckpointError, match="no such rows"):
        run(folder, resume=True)
    for part, wrong in (("action", 43), ("action", -1), ("phase", 99)):
        write_checkpoint(folder, state | {f"rollout.{part}": np.full_like(state[f"rollout.{part}"], wrong)}, facts)
        with pytest.raises(CheckpointError, match=f"is damaged: .*no such {part}s"):
            run(folder, resume=True)
    for wrong in ({"decisions": "many"}, {"decisions": -5}, {"updates": 0.5}, {"seconds": None}, {"curve": 3}):
        write_checkpoint(folder, state, facts | wrong)
        with pytest.raises(CheckpointError, match="is damaged"):
            run(folder, resume=True)
    for told in ([], {"config": [1]}):
        write_checkpoint(folder, state, told)  # type: ignore[arg-type]
        with pytest.raises(CheckpointError, match="is damaged: it does not tell its configuration"):
            run(folder, resume=True)


def test_a_run_is_not_lost_to_another_of_the_same_folder(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", decisions=2_000)
    before = checksum(folder)
    with pytest.raises(BuckError, match="holds a run already"):
        run(folder, seed=2)
    assert checksum(folder) == before
    run(folder, seed=2, decisions=2_000, anew=True)
    assert checksum(folder) != before
    assert all(steps == sorted(set(steps)) for steps in logged_steps(folder).values())
