"""Self-play in several processes under `torchrun`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
import torch
from places import ROOT
from ranks.gradient import gradient
from runs import SMALL

from buck_env import BuckError
from training.cli.app import main
from training.learning.run.checkpoint import CHECKPOINT, read_checkpoint
from training.learning.run.ranks import ALONE, Ranks

SETTINGS: dict[str, Any] = {**SMALL, "rules": "bucked-3", "opponents": ["random"], "snapshots": 2, "checkpoint": 1}


def torchrun(*arguments: str) -> subprocess.Popen[str]:
    """Two ranks of a program."""
    environment = {
        **os.environ, "OMP_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests" / "support"))),
    }  # fmt: skip
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", *arguments]
    return subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def train(config: Path, *arguments: str) -> subprocess.Popen[str]:
    return torchrun("-m", "training.cli.app", "train", str(config), *arguments)


def test_the_ranks_average_gradient_is_that_of_one_process_with_all_decisions(tmp_path: Path) -> None:
    process = torchrun(str(ROOT / "tests" / "support" / "ranks" / "gradient.py"), str(tmp_path / "found.npy"))
    said = process.communicate(timeout=500)[0]
    assert process.returncode == 0, said
    found, expected = np.load(tmp_path / "found.npy"), gradient(ALONE)
    assert np.abs(expected).max() > 1e-3
    assert np.abs(found - expected).max() < 1e-5


def test_a_rank_that_is_killed_ends_the_run_with_its_checkpoint_good(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, folder = tmp_path / "run.yaml", tmp_path / "run"
    config.write_text(json.dumps({**SETTINGS, "out": str(folder), "decisions": 10**9}))
    process = train(config)
    deadline = time.monotonic() + 500
    while not (folder / CHECKPOINT).exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.1)
    second = [child for child in psutil.Process(process.pid).children() if child.environ().get("RANK") == "1"]
    assert len(second) == 1
    second[0].send_signal(signal.SIGKILL)
    said = process.communicate(timeout=200)[0]
    assert process.returncode != 0, said
    decisions = read_checkpoint(folder)[1]["decisions"]
    assert decisions > 0
    assert main(["train", str(config), "--resume"]) == 1  # one process is not two
    assert "go on with as many, as in torchrun --nproc-per-node 2" in capsys.readouterr().err
    process = train(config, f"decisions={decisions + 2000}", "--resume")
    said = process.communicate(timeout=500)[0]
    assert process.returncode == 0, said
    bot = json.loads((folder / "bot.json").read_text())
    assert bot["decisions"] >= decisions + 2000
    assert said.count("going on with") == 1


def test_other_learners_and_uneven_shares_are_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BuckError, match="tables: 33 is not allowed; allowed: a multiple of 2, the ranks of torchrun"):
        Ranks(0, 2).share(33, "tables")
    monkeypatch.setenv("WORLD_SIZE", "2")
    assert main(["train", "cfr-ohio", f"out={tmp_path}"]) == 1
    assert "torchrun: only self-play (learner: ppo) learns in several processes" in capsys.readouterr().err


def test_alone_nothing_is_shared() -> None:
    values = torch.tensor([1.0, 2.0, 4.0])
    assert (ALONE.share(7, "tables"), ALONE.least(5), ALONE.gathered("mine")) == (7, 5, ["mine"])
    assert ALONE.total(values).tolist() == [1.0, 2.0, 4.0]
    assert ALONE.normalised(values).mean().item() == pytest.approx(0, abs=1e-6)
    assert ALONE.normalised(values).std().item() == pytest.approx(1)
