"""Runs by the all-action gradient: their seed settles them, they are resumed as they were, and they find what pays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from runs import checksum

from agents import AgentError, load_agent
from agents.bots.network import load_bot
from buck_env import load_rules
from training.learning.gradient.config import GradientConfig
from training.learning.gradient.learner import GradientLearner, train
from training.learning.run.loop import Run
from training.measuring.compare import gain

SMALL: dict[str, Any] = {
    "rules": "ohio", "rollout": 512, "hidden": [16], "minibatch": 128, "evaluate": 0, "checkpoint": 2,
    "opponents": ["rules-v1", "random"], "snapshots": 2, "snapshot_every": 2, "opponent_share": 0.7,
}  # fmt: skip


def carried_out(folder: Path, *, resume: bool = False, **changes: Any) -> Path:
    config = GradientConfig(**{**SMALL, "out": str(folder), "decisions": 4_000, **changes})
    return train(config, lambda _: None, resume=resume).folder


def test_a_resumed_run_ends_as_one_left_alone(tmp_path: Path) -> None:
    whole = carried_out(tmp_path / "whole")
    config = GradientConfig(**SMALL, out=str(tmp_path / "stopped"), decisions=4_000)
    rules = load_rules(config.rules)
    half = Run(config, rules, GradientLearner(config, rules), resume=False)
    while half.learner.decisions < 2_000:
        half.iterate()
    half.save_checkpoint()
    half.close()
    assert checksum(carried_out(tmp_path / "stopped", resume=True)) == checksum(whole)
    assert checksum(carried_out(tmp_path / "other", seed=2)) != checksum(whole)


def test_a_run_learns_to_play_against_random(tmp_path: Path) -> None:
    rules = load_rules("ohio")
    folder = carried_out(
        tmp_path, opponents=["random"], snapshots=0, decisions=40_000, rollout=2048, learning_rate=0.01, averaging=0.9
    )
    random = load_agent("random", rules)
    assert gain(rules, load_bot(str(folder), rules), random, deals=1_000, seed=1).low > 0.8


def test_a_run_may_start_from_a_bot_that_comes_with_the_package(tmp_path: Path) -> None:
    rules = load_rules("ohio")
    start = load_bot("agents/pretrained/ohio", rules)
    config = GradientConfig(**{**SMALL, "out": str(tmp_path), "hidden": [256, 256], "initial": "pretrained:ohio"})
    learner = GradientLearner(config, rules)
    learner.begin()
    assert (learner.weights()["policy.weight"] == start.weights["policy.weight"]).all()


def test_an_opponent_that_only_python_can_ask_is_refused_before_the_run(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="'cmd:cat' cannot be asked from compiled code"):
        carried_out(tmp_path, opponents=["cmd:cat"])
    assert not list(tmp_path.iterdir())
