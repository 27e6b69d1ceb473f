"""MaskablePPO of sb3-contrib in one learning seat, against any agents: the familiar path, and the yardstick.

It has the run folder, the network, the evaluation and the bots of self-play (`training.learning.self_play`). SB3's own
archives are neither written nor read: they are pickles.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger

from agents import Agent, load_agent
from buck_env import Rules
from training.learning.network import checked_device
from training.learning.network_learner import NetworkLearner
from training.learning.run.checkpoint import as_type
from training.learning.run.loop import Trained, carry_out
from training.learning.run.state import arrays, load, load_optimizer, marked, optimizer_arrays, part
from training.learning.sb3.config import PPOConfig
from training.learning.sb3.figures import HandFigures, LastFigures
from training.learning.sb3.policy import bot_layers, policy_settings
from training.learning.sb3.vec_env import make_vec_env, restore_tables, save_tables

__all__ = ["MaskableLearner", "PPOConfig", "train"]


class MaskableLearner(NetworkLearner):
    """MaskablePPO as a run knows its learner."""

    objective = "points"
    otherwise = "rules-v1"
    """It decides nothing: every phase is learned."""

    def __init__(self, config: PPOConfig, rules: Rules) -> None:
        torch.set_num_threads(config.threads)
        self.config: PPOConfig = config
        self.rules = rules
        self.phases = list(rules.phases)
        self.decisions = 0
        self.updates = 0
        opponents = [load_agent(name, rules) for name in config.opponents]
        self.env = make_vec_env(
            config.vec,
            config.envs,
            rules=rules,
            opponents=opponents[0] if len(opponents) == 1 else opponents,
            seat=config.seat,
            illegal_action="random",
            canonical=config.canonical,
        )
        self.model = MaskablePPO(
            "MlpPolicy",
            self.env,
            learning_rate=config.learning_rate,
            n_steps=config.n_steps,
            batch_size=config.batch_size,
            n_epochs=config.n_epochs,
            gamma=config.gamma,
            gae_lambda=config.gae_lambda,
            clip_range=config.clip_range,
            ent_coef=config.ent_coef,
            vf_coef=config.vf_coef,
            max_grad_norm=config.max_grad_norm,
            policy_kwargs=policy_settings(config.hidden, self.objective),
            seed=config.seed,
            device=checked_device(config.device),
        )
        optimizer = self.model.policy.optimizer
        assert isinstance(optimizer, torch.optim.Adam)
        self._optimizer = optimizer
        self.layers = bot_layers(self.model.policy)
        self.hands = HandFigures(rules)
        self._figures = LastFigures()
        self.model.set_logger(Logger(None, [self._figures]))
        self.env.seed(config.seed * 1_000_003)
        self.model._last_obs = self.env.reset()  # type: ignore[assignment]
        self.model._last_episode_starts = np.ones(config.envs, np.bool_)

    def start_from(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Take over weights."""
        self.layers.load_state_dict(weights)

    def iterate(self, progress: float) -> dict[str, float]:
        """Learn from one rollout; the figures to log, SB3's by its names and those of `HandFigures`."""
        self.model.learn(
            self.config.n_steps * self.config.envs,
            callback=self.hands,
            log_interval=None,  # type: ignore[arg-type]  # not before it has learned, but below
            reset_num_timesteps=False,
        )
        self.decisions = self.model.num_timesteps
        self.updates += 1
        self.model.dump_logs()
        return self._figures.figures

    def weights(self) -> dict[str, np.ndarray]:
        """The bot's weights as they are now."""
        return arrays(self.layers)

    def as_player(self, bot: Agent) -> Agent:
        """The bot, which decides every phase."""
        return bot

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that decide how the run goes on: network, optimizer, tables and random generators."""
        model = self.model
        _, key, *place = np.random.get_state()  # SB3 draws its minibatches by it
        state: dict[str, Any] = {
            "observation": model._last_obs,
            "begun": model._last_episode_starts,
            "torch_rng": torch.get_rng_state().numpy(),
            "numpy_rng": key,
        }
        state |= marked("tables", save_tables(self.env)) | marked("network", arrays(self.layers))
        state |= marked("optimizer", optimizer_arrays(self._optimizer))
        return state, {
            "decisions": self.decisions,
            "updates": self.updates,
            "sb3_updates": model._n_updates,
            "numpy_rng": place,
        }

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned for a learner of the same configuration."""
        model = self.model
        tables, ours = part(state, "tables"), save_tables(self.env)
        restore_tables(self.env, {name: as_type(tables[name], array.dtype) for name, array in ours.items()})
        load(self.layers, part(state, "network"))
        load_optimizer(self._optimizer, part(state, "optimizer"), stepped=facts["sb3_updates"] > 0)
        model._last_obs[:] = state["observation"]  # type: ignore[index]
        model._last_episode_starts[:] = state["begun"]  # type: ignore[index]
        model.num_timesteps = self.decisions = facts["decisions"]
        model._n_updates = facts["sb3_updates"]
        self.updates = facts["updates"]
        torch.set_rng_state(torch.from_numpy(state["torch_rng"]))
        np.random.set_state(("MT19937", state["numpy_rng"], *facts["numpy_rng"]))

    def close(self) -> None:
        """Let go of the tables."""
        self.env.close()


def train(
    config: PPOConfig, say: Callable[[str], None] = print, *, resume: bool = False, anew: bool = False
) -> Trained:
    """Carry out a run of MaskablePPO."""
    return carry_out(config, MaskableLearner, say, resume=resume, anew=anew)
