"""Gymnasium: `make` with a masked sample, and `make_vec` in its own default autoreset under one of its wrappers."""

from __future__ import annotations

import gymnasium
import numpy as np
from clients.scored import STEPS, ScoredSeat


def test_one_table_plays_masked_samples_and_is_paid_the_scores() -> None:
    env = ScoredSeat(gymnasium.make("buck_env:BuckEuchre-v0", opponents="random"))
    _, info = env.reset(seed=42)
    for _ in range(STEPS):
        action = env.action_space.sample(info["action_mask"])  # an illegal one would raise
        _, _, terminated, truncated, info = env.step(action)
        if terminated or truncated:
            _, info = env.reset()
    assert env.hands > 100


def test_a_batch_in_gymnasiums_default_autoreset_is_paid_the_scores() -> None:
    envs = gymnasium.make_vec("buck_env:BuckEuchre-v0", num_envs=4, opponents="random")
    tables, rules = envs.unwrapped._solo.tables, envs.unwrapped.rules
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    _, infos = envs.reset(seed=42)
    envs.action_space.seed(42)
    hands = 0
    for _ in range(STEPS // 4):
        actions = envs.action_space.sample(tuple(infos["action_mask"]))
        _, _, terminations, _, infos = envs.step(actions)
        for i in np.flatnonzero(terminations):
            result = tables.record(i, finished=True)["result"]
            assert infos["episode"]["r"][i] == rules.toward * result["deltas"][infos["seat"][i]]
            hands += 1
    assert hands > 100
