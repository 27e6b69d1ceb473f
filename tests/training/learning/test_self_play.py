"""Self-play as a whole: it learns, its options learn, and its seed decides everything."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from runs import SMALL, checksum, run

from agents import load_agent
from agents.bots.network import load_bot
from buck_env import load_rules
from training.learning.self_play import SelfPlayLearner, TrainConfig
from training.measuring.compare import compare


def test_the_same_seed_gives_the_same_weights_and_another_does_not(tmp_path: Path) -> None:
    sums = [checksum(run(tmp_path / name, seed=seed)) for name, seed in (("a", 1), ("b", 1), ("c", 2))]
    assert sums[0] == sums[1] != sums[2]


def test_ppo_learns_to_beat_random_players(tmp_path: Path) -> None:
    folder = run(tmp_path / "bot", decisions=150_000, tables=256, hidden=[64])
    rules = load_rules("ohio")
    result = compare(rules, load_agent(f"ppo:{folder}", rules), load_agent("random", rules), deals=300)
    assert result.gain.low > 0.5
    assert result.edge.low > 0.5


@pytest.mark.parametrize(
    "options",
    [
        {"oracle_critic": True},
        {"oracle_critic": True, "playouts": True, "critic_hidden": [8], "playout_weight": 0.1},
        {"canonical": False, "suit_augmentation": True, "oracle_critic": True, "playouts": True, "playout_weight": 1.0},
        {"oracle_critic": True, "playouts": True, "playout_gradient": 4.0, "playout_correction": True},
        {
            "canonical": False,
            "suit_augmentation": True,
            "oracle_critic": True,
            "playouts": True,
            "playout_gradient": 1.0,
        },
        {
            "learn": ["stay"],
            "oracle_critic": True,
            "playouts": True,
            "playout_weight": 1.0,
            "playout_correction": True,
        },
        {"magnet": 0.1, "entropy": 0.02, "entropy_end": 0.0},
        {"canonical": False, "suit_augmentation": True, "oracle_critic": True},
        {"opponents": ["rules-v1", "random"], "snapshots": 2, "snapshot_every": 1, "opponent_sampling": "hard"},
        {"learn": ["order", "call"], "otherwise": "random"},
        {"objective": "win"},
    ],
)
def test_every_option_learns_with_finite_figures(options: dict[str, Any]) -> None:
    config = TrainConfig(tables=32, steps=8, hidden=[16], minibatch=64, **options)
    learner = SelfPlayLearner(config, load_rules("ohio"))
    before = learner.weights()
    for _ in range(3):
        assert np.isfinite(list(learner.iterate(0.5).values())).all()
    learner.close()
    after = learner.weights()
    assert any(not np.array_equal(before[name], after[name]) for name in before)


def test_a_run_with_an_initial_bot_plays_by_it_from_the_first_decision(tmp_path: Path) -> None:
    folder = run(tmp_path / "bot", decisions=1_000)
    rules = load_rules("ohio")
    learner = SelfPlayLearner(TrainConfig(**{**SMALL, "initial": str(folder)}), rules)
    learner.begin()
    seen, mask = learner.collector.tables.observations, learner.collector.tables.masks
    decisions = learner.player.decide(seen, mask, np.empty((64, 0), np.int8))
    learner.close()
    log_probs, values = load_bot(str(folder), rules).policy(seen, mask)
    assert decisions.log_prob == pytest.approx(log_probs[np.arange(64), decisions.action], abs=1e-5)
    assert decisions.value == pytest.approx(values, abs=1e-5)


@pytest.mark.parametrize(("rules", "steps"), [("ohio", 5), ("bucked-3", 4)])
def test_the_shortest_rollouts_learn(rules: str, steps: int) -> None:
    learner = SelfPlayLearner(
        TrainConfig(rules=rules, tables=64, steps=steps, hidden=[8], objective="win"), load_rules(rules)
    )
    before = 0
    for _ in range(20):
        learner.iterate(0.0)
        assert learner.decisions > before
        before = learner.decisions
    learner.close()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="NOT CHECKED: torch finds no GPU on this machine")
def test_a_run_on_a_gpu_is_resumed_and_ends_with_a_bot_that_plays_without_one(tmp_path: Path) -> None:
    run(tmp_path, device="cuda")
    run(tmp_path, device="cuda", decisions=6_000, resume=True)
    assert load_agent(f"ppo:{tmp_path}", "ohio")
