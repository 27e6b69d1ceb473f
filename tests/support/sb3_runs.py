"""Small runs of MaskablePPO for the tests, and its tables."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv

from training.learning.sb3.ppo import PPOConfig, train


def small(folder: Path, **changes: Any) -> PPOConfig:
    """The configuration of a run of a second."""
    return PPOConfig(
        **{
            "out": str(folder), "envs": 8, "n_steps": 32, "batch_size": 64, "n_epochs": 2, "hidden": [16],
            "decisions": 1_280, "evaluate": 0, **changes,
        }
    )  # fmt: skip


def silently(config: PPOConfig, **options: bool) -> Path:
    """Carry out a run without a word; its folder."""
    return train(config, say=lambda _: None, **options).folder


def masks_of(env: VecEnv) -> np.ndarray:
    """(N, A): the masks of all tables."""
    return np.stack(env.env_method("action_masks"))


def drawn(rng: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """A legal action of each row."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)
