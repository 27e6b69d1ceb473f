"""MaskablePPO as a whole: it learns, and the command runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from sb3_runs import silently, small

from agents import load_agent
from buck_env import load_rules
from training.cli.app import main
from training.measuring.compare import gain


def test_it_learns_to_beat_random_players(tmp_path: Path) -> None:
    config = small(
        tmp_path, envs=128, batch_size=256, hidden=[64], learning_rate=3e-3, gamma=1.0, opponents=["random"],
        decisions=40_000, checkpoint=0,
    )  # fmt: skip
    rules = load_rules("ohio")
    agent = load_agent(f"ppo:{silently(config)}", rules)
    assert gain(rules, agent, load_agent("random", rules), deals=300).low > 0.5


def test_the_command_runs_and_says_which_extra_it_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "ppo",
        "ohio",
        f"out={tmp_path}",
        "envs=4",
        "n_steps=32",
        "batch_size=64",
        "decisions=128",
        "evaluate=0",
    ]
    assert main(arguments) == 0
    assert main(arguments) == 1
    assert "holds a run already" in capsys.readouterr().err
    for name in ("training.learning.sb3.ppo", "training.learning.sb3.policy", "training.learning.sb3.vec_env"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    assert main(arguments) == 1
    assert "pip install 'buck-euchre-rl[sb3]'" in capsys.readouterr().err
