"""The network: masks, gradients, what it sees, and that numpy computes the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from agents.bots.network import forward, input_scale, masked_log_softmax
from buck_env import LAYOUT, OBSERVATION_SIZE, load_rules
from training.learning.losses import entropy_of
from training.learning.network import Network
from training.learning.run.state import arrays
from training.learning.self_play import SelfPlayLearner, TrainConfig


def test_gradients_stay_finite_where_one_action_is_legal() -> None:
    network = Network([16])
    mask = torch.zeros(4, 43, dtype=torch.int8)
    mask[:, 7] = 1
    log_probs, value = network(torch.randn(4, OBSERVATION_SIZE), mask)
    (entropy_of(log_probs).sum() + log_probs[:, 7].sum() + value.sum()).backward()
    assert all(torch.isfinite(p.grad).all() for p in network.parameters())


def test_numpy_and_torch_agree() -> None:
    network = Network([32, 32])
    rng = np.random.default_rng(0)
    observation = rng.integers(-128, 127, (50, OBSERVATION_SIZE)).astype(np.int8)
    mask = (rng.random((50, 43)) < 0.3).astype(np.int8)
    mask[:, 0] = 1
    with torch.no_grad():
        log_probs, value = network(torch.from_numpy(observation).float(), torch.from_numpy(mask))
    logits, ours = forward(arrays(network), 2, observation, input_scale("points"))
    legal = mask != 0
    assert np.allclose(masked_log_softmax(logits, mask)[legal], log_probs.numpy()[legal], atol=1e-4)
    assert np.allclose(ours, value.numpy(), atol=1e-3)


def test_points_are_played_for_without_seeing_the_score(tmp_path: Path) -> None:
    for objective, same in (("points", True), ("win", False)):
        learner = SelfPlayLearner(TrainConfig(tables=32, steps=8, hidden=[16], objective=objective), load_rules("ohio"))  # type: ignore[arg-type]
        seen, mask = learner.collector.tables.observations[:1].copy(), learner.collector.tables.masks[:1]
        log_probs = [learner.trainer.networks["policy"](torch.from_numpy(seen).float(), torch.from_numpy(mask))[0]]
        seen[:, LAYOUT["scores"]] = 3
        log_probs.append(learner.trainer.networks["policy"](torch.from_numpy(seen).float(), torch.from_numpy(mask))[0])
        learner.close()
        assert torch.equal(*log_probs) is same
