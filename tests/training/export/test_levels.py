"""Levels of a bot, and what they and 8 bits cost it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bundles import quietly

from agents import load_agent
from agents.bots.bundle_files import read_bundle
from agents.bots.network import forward, input_scale, masked_log_softmax, read_network
from agents.bots.onnx_bot import OnnxAgent
from buck_env import load_rules
from training.export.levels import LEVELS
from training.learning.self_play import TrainConfig, train
from training.measuring.reachable import reachable


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    config = TrainConfig(
        out=str(tmp_path_factory.mktemp("trained")), tables=256, steps=16, hidden=[64], minibatch=256,
        decisions=150_000, evaluate=0, checkpoint=0,
    )  # fmt: skip
    return train(config, say=lambda _: None).folder


def test_the_strength_that_eight_bits_cost_is_measured(trained: Path, tmp_path: Path) -> None:
    told: list[str] = []
    card, _, _ = read_bundle(quietly(trained, tmp_path, int8=True, deals=200, say=told.append))
    by_opponent = {strength.against: strength for strength in card.strength}
    assert list(by_opponent) == ["rules-v1", "random", "the bot it was made from"]
    assert by_opponent["the bot it was made from"].gain.low > -0.1
    assert by_opponent["random"].gain.low > 0.5
    assert all(strength.deals == 200 and strength.points.low <= strength.points.high for strength in card.strength)
    assert any("among the bot it was made from" in line for line in told)


@pytest.mark.parametrize("level", ["easy", "medium"])
def test_a_level_departs_from_the_likeliest_action_as_often_as_it_says(level: str, bot: Path, tmp_path: Path) -> None:
    rules = load_rules("ohio")
    bundle = quietly(bot, tmp_path, level=level)
    agent = load_agent(f"onnx:{bundle}", rules)
    assert isinstance(agent, OnnxAgent)
    assert agent.sampled
    assert not load_agent(f"onnx:{bundle}@greedy", rules).sampled  # type: ignore[attr-defined]
    card, weights = read_network(bot, rules)
    views, _ = reachable(rules, load_agent(f"ppo:{bot}", rules), tables=256, hands=2, seed=1)
    observation, mask, _ = views.canonical
    log_probs, _ = agent.policy(observation, mask)
    logits, _ = forward(weights, 2, observation, input_scale(card.objective))
    tempered = masked_log_softmax(logits / np.float32(agent.bundle.temperature), mask)
    assert np.abs(np.exp(log_probs) - np.exp(tempered)).max() < 1e-5
    drawn = agent.act(views) != load_agent(f"onnx:{bundle}@greedy", rules).act(views)
    assert drawn.mean() == pytest.approx(LEVELS[level], abs=0.03)


def test_levels_of_a_trained_bot_are_apart(trained: Path, tmp_path: Path) -> None:
    card, _, _ = read_bundle(quietly(trained, tmp_path, level="medium", deals=400))
    assert (card.level, card.play) == ("medium", "sampled")
    easy, medium, hard = card.levels
    assert [level.level for level in card.levels] == ["easy", "medium", "hard"]
    assert easy.points.high < medium.points.low
    assert medium.points.high < hard.points.low
    assert easy.temperature > medium.temperature == card.temperature
    hardest, _, _ = read_bundle(quietly(trained, tmp_path, level="hard"))
    assert (hardest.play, hardest.temperature) == ("greedy", 1.0)
