"""Checkpoints: whole or as they were, and refused where they are damaged or of another run."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from runs import run

from training.learning.run.checkpoint import CHECKPOINT, CheckpointError, read_checkpoint, write_checkpoint


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


def test_damaged_foreign_and_missing_checkpoints_are_refused(tmp_path: Path) -> None:
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
    for facts in ([], {"config": [1]}):  # type: ignore[assignment]
        write_checkpoint(folder, state, facts)
        with pytest.raises(CheckpointError, match="is damaged: it lacks its configuration"):
            run(folder, resume=True)


def test_a_run_by_rules_that_have_changed_since_is_not_gone_on_with(tmp_path: Path) -> None:
    house = tmp_path / "house.yaml"
    house.write_text("base: bucked\ntarget: 15\n")
    run(tmp_path / "bot", rules=str(house), decisions=1_000)
    house.write_text("base: bucked\ntarget: 16\n")
    with pytest.raises(CheckpointError, match=r"is of other rules than .*house\.yaml has now; --anew begins a run"):
        run(tmp_path / "bot", rules=str(house), decisions=2_000, resume=True)
