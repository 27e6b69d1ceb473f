"""The settings of `buck ppo`."""

from __future__ import annotations

import pytest
from sb3_contrib import MaskablePPO

from buck_env import load_rules
from buck_env.base.shipped import shipped_configs
from training.base.config import ConfigError, find_config, load_config
from training.learning.sb3.ppo import PPOConfig
from training.learning.sb3.vec_env import SeatVecEnv


@pytest.mark.parametrize(
    ("overrides", "said"),
    [
        (["envs=0"], "envs: 0"),
        (["vec=ray"], "vec: 'ray'"),
        (["tables=3"], "tables: 3 is set, but there is no such key"),
        (["opponents=[random, random]"], r"opponents: \[random, random\] is not allowed; allowed: one for all, or 3"),
        (["seat=4"], "seat: 4 is not allowed; allowed: 0 to 3"),
        (
            ["envs=5", "n_steps=13"],
            "batch_size: 64 is not allowed; allowed: one that leaves no minibatch of a single decision",
        ),
        (["batch_size=1"], "batch_size: 1"),
    ],
)
def test_a_bad_configuration_is_refused(overrides: list[str], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        load_config(PPOConfig, None, overrides)


def test_the_defaults_are_those_of_maskable_ppo() -> None:
    config, model = PPOConfig(), MaskablePPO("MlpPolicy", SeatVecEnv(2))
    for name in ("n_steps", "batch_size", "n_epochs", "learning_rate", "gamma", "gae_lambda", "ent_coef", "vf_coef",
                 "max_grad_norm"):  # fmt: skip
        assert getattr(config, name) == getattr(model, name), name
    assert config.clip_range == model.clip_range(1.0)  # type: ignore[operator]


@pytest.mark.parametrize("name", shipped_configs("ppo"))
def test_shipped_configurations_are_valid(name: str) -> None:
    config = load_config(PPOConfig, find_config(name, "ppo"))
    load_rules(config.rules)
