"""What every learner of a network does alike."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import torch

from agents.bots.network import input_scale, load_bot
from buck_env import load_rules
from training.learning.network import Network
from training.learning.network_learner import NetworkLearner
from training.learning.run.config import NetworkRunConfig
from training.learning.run.state import arrays, load


class Still(NetworkLearner):
    """A learner that never learns."""

    def __init__(self, config: NetworkRunConfig) -> None:
        self.config, self.rules = config, load_rules(config.rules)
        self.phases, self.objective = ["stay"], "points"
        self.network = Network(config.hidden)

    def start_from(self, weights: Mapping[str, torch.Tensor]) -> None:
        self.network.load_state_dict(weights)

    def weights(self) -> dict[str, np.ndarray]:
        return arrays(self.network)


def facts_of(learner: Still) -> dict[str, object]:
    return {
        "rules": learner.rules.as_dict(), "seed": 1, "decisions": 0, "seconds": 0.0, "cores": 1, "curve": [],
        "config": {},
    }  # fmt: skip


def test_a_bot_that_was_written_is_where_another_learner_starts(tmp_path: Path) -> None:
    first = Still(NetworkRunConfig(hidden=[8]))
    first.begin()
    assert first.origin == "random weights"
    bot = first.write_bot(tmp_path, facts_of(first))
    assert bot.phases == ("stay",)
    second = Still(NetworkRunConfig(hidden=[8], initial=str(tmp_path)))
    assert second.origin == f"the weights of {tmp_path}"
    assert not all((first.weights()[name] == array).all() for name, array in second.weights().items())
    second.begin()
    used = input_scale("points") != 0  # what a bot does not look at is not kept
    for name, array in second.weights().items():
        kept = first.weights()[name]
        assert (array[:, used] == kept[:, used]).all() if name == "hidden_0.weight" else (array == kept).all()


def test_the_bot_in_hand_decides_as_the_one_on_disk(tmp_path: Path) -> None:
    learner = Still(NetworkRunConfig(hidden=[8]))
    bot = learner.write_bot(tmp_path, facts_of(learner))
    read = load_bot(str(tmp_path), learner.rules)
    observation = np.random.default_rng(1).integers(0, 2, (4, 512)).astype(np.int8)
    mask = np.ones((4, 43), np.int8)
    load(learner.network, bot.weights)
    for one, other in zip(bot.policy(observation, mask), read.policy(observation, mask), strict=True):
        assert (one == other).all()
