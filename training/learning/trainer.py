"""The networks in training: minibatches of a rollout, steps of the optimizer, and the running mean of the policy."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from buck_env import Rules
from training.learning.augment import SuitAugmentation
from training.learning.descent import Descent
from training.learning.figures import explained_variance, term_figures
from training.learning.losses import Minibatch, Term, loss_terms
from training.learning.network import Critic, Network
from training.learning.playouts import PlayoutTeacher
from training.learning.rollout import Rollout
from training.learning.run.ranks import ALONE, Ranks
from training.learning.train_config import TrainConfig

__all__ = ["Trainer"]


class Trainer:
    """Masked PPO on the decisions of rollouts. Of several ranks each has its share of every minibatch."""

    def __init__(
        self, config: TrainConfig, rules: Rules, playouts: PlayoutTeacher, device: torch.device, ranks: Ranks = ALONE
    ) -> None:
        self._config = config
        self._playouts = playouts
        self._device = device
        self._ranks = ranks
        self._minibatch_size = ranks.share(config.minibatch, "minibatch")
        self._augmentation = SuitAugmentation(rules) if config.suit_augmentation else None
        self._rng = np.random.default_rng(config.seed)
        self.networks = nn.ModuleDict({"policy": Network(config.hidden, config.objective)})
        if config.oracle_critic:
            sizes = config.hidden if config.critic_hidden is None else config.critic_hidden
            self.networks["critic"] = Critic(sizes, config.objective)
        self.networks.to(device)
        self._descent = Descent(config, self.networks, self.networks["policy"], fused=device.type == "cpu", ranks=ranks)
        self.mean = self._descent.mean
        """The running mean of the policy: the bot, and the magnet."""

    @property
    def steps(self) -> int:
        """Steps taken so far."""
        return self._descent.steps

    def train_on(self, rollout: Rollout, rows: np.ndarray, progress: float) -> dict[str, float]:
        """Some epochs of steps on the rows of a rollout whose return is known, as many on each rank.

        The figures to log are returned.
        """
        size = self._minibatch_size
        trained, terms = [], []
        for _ in range(self._config.epochs):
            order = self._rng.permutation(len(rows))
            for start in range(0, max(1, len(order) - size + 1), size):  # all of one size
                chosen = rows[order[start : start + size]]
                if len(chosen) < 2:
                    continue  # an advantage alone cannot be normalised
                trained.append(chosen)
                terms.append(self.step(rollout, chosen, progress))
        if not terms:
            return {}
        errors = rollout["advantage"][rows]
        returns = errors + rollout["value"][rows]
        return (
            term_figures(terms, rollout["phase"][np.concatenate(trained)])
            | {"rollout/return": float(returns.mean())}
            | explained_variance(errors, returns, rollout["phase"][rows])
        )

    def step(self, rollout: Rollout, rows: np.ndarray, progress: float = 0.0) -> dict[str, np.ndarray]:
        """One step of the optimizer on some rows of a rollout; the terms of the loss by name, () or (B,) each."""
        return self._descent.step(self._terms(self._minibatch(rollout, rows), progress), progress)

    def _terms(self, batch: Minibatch, progress: float) -> list[Term]:
        """All that the loss is made of, and what is logged beside it."""
        return [*loss_terms(batch, self._config, progress), *self._playouts.terms(batch, progress)]

    def _minibatch(self, rollout: Rollout, rows: np.ndarray) -> Minibatch:
        """Rows of a rollout with their suits renamed, and what the networks say of them."""
        columns = self._columns(rollout, rows)
        observation, mask = columns["observation"].float(), columns["mask"]
        log_probs, value = self.networks["policy"](observation, mask)
        returns = columns["advantage"] + columns["value"]
        magnet = critic = critic_target = None
        if self._config.magnet:
            with torch.no_grad():
                magnet, _ = self.mean(observation, mask)
        if self._config.oracle_critic:
            critic = self.networks["critic"](observation, columns["unseen"].float())
            critic_target = self._playouts.subtract_baseline(returns, columns)
        return Minibatch(
            columns,
            log_probs,
            value,
            log_probs.gather(1, columns["action"][:, None])[:, 0] - columns["log_prob"],
            self._ranks.normalised(columns["advantage"]),
            returns,
            magnet,
            critic,
            critic_target,
        )

    def _columns(self, rollout: Rollout, rows: np.ndarray) -> dict[str, torch.Tensor]:
        columns = {column.name: rollout[column.name][rows] for column in rollout.columns}
        if self._augmentation:
            names = self._rng.integers(len(self._augmentation), size=len(rows))
            for column in rollout.columns:
                if column.suits and 0 not in column.shape:
                    columns[column.name] = self._augmentation.rename(column.suits, columns[column.name], names)
        return {name: torch.from_numpy(array).to(self._device) for name, array in columns.items()}

    def begin_with(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Give the policy and its mean these weights."""
        self._descent.begin_with(weights)

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that `restore` takes."""
        state, facts = self._descent.save("networks")
        return state, {**facts, "learner_rng": self._rng.bit_generator.state}

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned."""
        self._descent.restore("networks", state, facts)
        self._rng.bit_generator.state = facts["learner_rng"]
