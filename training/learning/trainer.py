"""The networks in training: minibatches of a rollout, steps of the optimizer, and the running mean of the policy."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from buck_env import BuckError, Rules
from training.learning.augment import SuitAugmentation
from training.learning.figures import explained_variance, term_figures
from training.learning.losses import Minibatch, Term, loss_terms, scheduled, total_loss
from training.learning.network import Critic, Network
from training.learning.playouts import PlayoutTeacher
from training.learning.rollout import Rollout
from training.learning.run.state import arrays, load, load_optimizer, marked, optimizer_arrays, part
from training.learning.train_config import TrainConfig

__all__ = ["Trainer"]


class Trainer:
    """Masked PPO on the decisions of rollouts."""

    def __init__(self, config: TrainConfig, rules: Rules, playouts: PlayoutTeacher, device: torch.device) -> None:
        self._config = config
        self._playouts = playouts
        self._device = device
        self._augmentation = SuitAugmentation(rules) if config.suit_augmentation else None
        self._rng = np.random.default_rng(config.seed)
        self.networks = nn.ModuleDict({"policy": Network(config.hidden, config.objective)})
        if config.oracle_critic:
            sizes = config.hidden if config.critic_hidden is None else config.critic_hidden
            self.networks["critic"] = Critic(sizes, config.objective)
        self.networks.to(device)
        self.mean = copy.deepcopy(self.networks["policy"])
        """The running mean of the policy: the bot, and the magnet."""
        self._parameters = list(self.networks.parameters())
        self._averaged = list(zip(self.mean.parameters(), self.networks["policy"].parameters(), strict=True))
        self._optimizer = torch.optim.Adam(
            self._parameters, lr=config.learning_rate, eps=1e-5, fused=device.type == "cpu"
        )  # fmt: skip
        self.steps = 0

    def train_on(self, rollout: Rollout, rows: np.ndarray, progress: float) -> dict[str, float]:
        """Some epochs of steps on the rows of a rollout whose return is known; the figures to log."""
        size = self._config.minibatch
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
        config = self._config
        for group in self._optimizer.param_groups:
            group["lr"] = scheduled(config.learning_rate, config.learning_rate / 10, progress)
        terms = self._terms(self._minibatch(rollout, rows), progress)
        loss = total_loss(terms)
        if not torch.isfinite(loss):
            raise BuckError(
                f"training: the loss is {loss.item()} after {self.steps:,} updates; "
                "a smaller learning_rate or weight keeps it finite; go on from the last checkpoint with --resume"
            )
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._parameters, config.max_grad_norm)
        self._optimizer.step()
        self.steps += 1
        self._average()
        return {term.name: term.value.detach().cpu().numpy() for term in terms}

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
            (columns["advantage"] - columns["advantage"].mean()) / (columns["advantage"].std() + 1e-8),
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

    @torch.no_grad()
    def _average(self) -> None:
        """Move the running mean; it soon forgets the first steps."""
        share = 1 - min(self._config.averaging, self.steps / (self.steps + 9))
        for mean, parameter in self._averaged:
            mean.lerp_(parameter, share)

    def begin_with(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Give the policy and its mean these weights."""
        self.networks["policy"].load_state_dict(weights)
        self.mean.load_state_dict(weights)

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that `restore` takes."""
        state = marked("networks", arrays(self.networks)) | marked("mean", arrays(self.mean))
        state |= marked("optimizer", optimizer_arrays(self._optimizer))
        return state, {"steps": self.steps, "learner_rng": self._rng.bit_generator.state}

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned."""
        self.steps = facts["steps"]
        load(self.networks, part(state, "networks"))
        load(self.mean, part(state, "mean"))
        load_optimizer(self._optimizer, part(state, "optimizer"), stepped=self.steps > 0)
        self._rng.bit_generator.state = facts["learner_rng"]
