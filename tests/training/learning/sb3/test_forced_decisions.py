"""Decisions with one legal action: no entropy, and finite gradients (lesson D7)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from runs import scalars
from sb3_contrib import MaskablePPO
from sb3_runs import drawn, masks_of, silently, small

from training.learning.losses import entropy_of
from training.learning.network import Network
from training.learning.sb3.policy import policy_settings
from training.learning.sb3.vec_env import SeatVecEnv

LENGTHS = [4_096, pytest.param(300_000, marks=pytest.mark.soak)]


@pytest.mark.parametrize("decisions", LENGTHS)
@pytest.mark.parametrize("whose", ["sb3", "ours"])
def test_forced_decisions_have_no_entropy_and_finite_gradients(whose: str, decisions: int) -> None:
    torch.manual_seed(0)
    env = SeatVecEnv(64)
    policy = MaskablePPO("MlpPolicy", env, n_steps=2, policy_kwargs=policy_settings([32])).policy
    network: torch.nn.Module = policy if whose == "sb3" else Network([32])
    optimizer = torch.optim.Adam(network.parameters(), lr=0.01)  # so high that logits go to extremes
    rng = np.random.default_rng(0)
    observation, forced = env.reset(), 0
    for _ in range(decisions // 64):
        masks = masks_of(env)
        action = drawn(rng, masks)
        seen, taken = torch.from_numpy(observation).float(), torch.from_numpy(action)
        if whose == "sb3":
            value, log_prob, entropy = policy.evaluate_actions(seen, taken, torch.from_numpy(masks))
            assert entropy is not None
        else:
            log_probs, value = network(seen, torch.from_numpy(masks))
            log_prob, entropy = log_probs.gather(1, taken[:, None])[:, 0], entropy_of(log_probs)
        single = torch.from_numpy(masks.sum(axis=1) == 1)
        forced += int(single.sum())
        assert (entropy[single] == 0).all()
        assert torch.isfinite(entropy).all()
        optimizer.zero_grad()
        (value.square().mean() - 0.01 * entropy.mean() - (log_prob * torch.randn(64)).mean()).backward()
        assert all(torch.isfinite(p.grad).all() for p in network.parameters() if p.grad is not None)
        optimizer.step()
        observation = env.step(action)[0]
    assert forced > decisions / 20


@pytest.mark.parametrize("decisions", LENGTHS)
def test_maskable_ppo_outlives_forced_decisions(tmp_path: Path, decisions: int) -> None:
    config = small(tmp_path, envs=64, n_epochs=1, batch_size=256, learning_rate=0.01, decisions=decisions, checkpoint=0)
    logged = scalars(silently(config) / "logs")
    assert all(np.isfinite([value for _, value in figures]).all() for figures in logged.values())
    assert all(value == 0 for _, value in logged["game/illegal_actions"])
