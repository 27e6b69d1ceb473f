"""stable-baselines3: its checker, and PPO, which knows no masks."""

from __future__ import annotations

from typing import Any

import gymnasium
import pytest
from clients.scored import STEPS, ScoredSeat, client

pytestmark = pytest.mark.filterwarnings("ignore")  # stable-baselines3's own


def made(**settings: Any) -> ScoredSeat:
    return ScoredSeat(gymnasium.make("buck_env:BuckEuchre-v0", illegal_action="random", **settings))


def test_the_checker_finds_nothing() -> None:
    client("stable_baselines3.common.env_checker").check_env(made())


def test_ppo_without_masks_learns_where_a_legal_action_replaces_an_illegal_one() -> None:
    sb3 = client("stable_baselines3")
    env = made(obs_dtype="float32")
    model = sb3.PPO("MlpPolicy", env, n_steps=500, batch_size=100, n_epochs=1, seed=1, device="cpu")
    model.learn(STEPS)
    assert env.hands > 100
