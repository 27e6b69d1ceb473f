"""onnxruntime: an exported bot as a host in any language plays it, by named int8 inputs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from bots import untrained
from bundles import quietly, raw
from clients.scored import STEPS, ScoredTable, client

from buck_env import buck_euchre_v0, load_rules


def test_an_exported_bot_plays_all_seats_and_its_greedy_actions_are_legal(tmp_path: Path) -> None:
    client("onnxruntime")
    model = raw(quietly(untrained(tmp_path / "bot", load_rules("ohio")), tmp_path / "bundle"))
    env = ScoredTable(buck_euchre_v0.env(rules="ohio", canonical=True))
    paid = np.zeros(4)
    env.reset(seed=1)
    while env.steps < STEPS:
        observation, _, ended, _, _ = env.last()
        if ended:
            paid += list(env.rewards.values())
            env.reset()
            continue
        inputs = {name: observation[name][None] for name in ("observation", "action_mask")}
        log_probabilities, _ = model.run(["log_probabilities", "value"], inputs)
        env.step(int(log_probabilities[0].argmax()))
    assert env.illegal == 0
    assert np.array_equal(paid, env.points)
