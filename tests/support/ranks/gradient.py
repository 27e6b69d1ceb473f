"""The gradient of one step on a rollout that all ranks have alike; under `torchrun` each learns from its own part."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import torch

from buck_env import load_rules
from training.learning.playouts import PlayoutTeacher
from training.learning.run.ranks import Ranks, joined
from training.learning.self_play import SelfPlayLearner, TrainConfig
from training.learning.trainer import Trainer

SETTINGS: dict[str, Any] = {
    "rules": "bucked-3", "tables": 64, "steps": 16, "hidden": [16], "minibatch": 512, "max_grad_norm": 1e6,
    "oracle_critic": True, "magnet": 0.1,
}  # fmt: skip


def gradient(ranks: Ranks) -> np.ndarray:
    """All gradients of a step on the first 512 decisions of a rollout, after another one."""
    config = TrainConfig(**SETTINGS)
    rules = load_rules(config.rules)
    alone = SelfPlayLearner(config, rules)
    alone.iterate(0.0)
    alone.save()
    rollout = alone.rollouts[1]
    rows = rollout.finish(config.gamma, config.gae_lambda)[: config.minibatch]
    alone.close()
    torch.manual_seed(config.seed)
    trainer = Trainer(config, rules, PlayoutTeacher(config, rules, rules.phases), torch.device("cpu"), ranks)
    for _ in range(2):
        trainer.step(rollout, rows[ranks.number :: ranks.count])
    gradients = [parameter.grad.numpy().ravel() for parameter in trainer.networks.parameters()]
    return np.concatenate(gradients)


if __name__ == "__main__":
    here = joined()
    found = gradient(here)
    if here.number == 0:
        np.save(sys.argv[1], found)
