"""The network in training: the loss of a minibatch of lessons, steps of the optimizer, and the running mean."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from torch import nn

from agents.bots.bot import Bot
from agents.bots.network import NetworkAgent
from agents.compiled.hands import Lessons
from buck_env import BuckError, Rules
from training.learning.figures import term_figures
from training.learning.gradient.config import GradientConfig
from training.learning.losses import Term, entropy_of, scheduled, squared_error, total_loss
from training.learning.network import Network
from training.learning.playouts import playout_distance
from training.learning.run.state import arrays, load, load_optimizer, marked, optimizer_arrays, part

__all__ = ["GradientTrainer", "lesson_terms"]


def lesson_terms(
    log_probs: torch.Tensor, value: torch.Tensor, mask: torch.Tensor, values: torch.Tensor, config: GradientConfig,
    progress: float,
) -> list[Term]:  # fmt: skip
    """The terms of the loss, of log-probabilities (B, A), values (B,), masks (B, A) and the points after each action
    (B, A), 0 where illegal."""
    points = (log_probs.exp() * values).sum(dim=1)
    entropy_end = config.entropy if config.entropy_end is None else config.entropy_end
    terms = [
        Term("policy/playout_points", -config.gradient, points),
        Term("policy/entropy", -scheduled(config.entropy, entropy_end, progress), entropy_of(log_probs)),
        Term("value/loss", config.value, squared_error(value, points.detach())),
    ]
    if config.distance:
        distance = playout_distance(log_probs, mask, values, config.temperature)
        terms.append(Term("policy/playout_loss", config.distance, distance))
    return terms


class GradientTrainer:
    """A policy that follows the points which its actions bring."""

    def __init__(self, config: GradientConfig, rules: Rules) -> None:
        torch.manual_seed(config.seed)
        torch.set_num_threads(config.threads)
        self._config = config
        self._bot = Bot(
            rules=rules.as_dict(), canonical=config.canonical, objective="points", phases=list(rules.phases),
            hidden=list(config.hidden), seed=config.seed, decisions=0, seconds=0.0, cores=1, curve=[], config={},
            weights="", sha256="",
        )  # fmt: skip
        self._rng = np.random.default_rng(config.seed)
        self._policy = Network(config.hidden)
        self._mean = copy.deepcopy(self._policy)
        self._averaged = list(zip(self._mean.parameters(), self._policy.parameters(), strict=True))
        self._optimizer = torch.optim.Adam(self._policy.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.steps = 0

    def agent(self, weights: dict[str, np.ndarray] | None = None) -> NetworkAgent:
        """The policy as it is now, or with other weights, as a greedy agent."""
        return NetworkAgent(self._bot, arrays(self._policy) if weights is None else weights)

    def weights(self) -> dict[str, np.ndarray]:
        """The running mean of the weights."""
        return arrays(self._mean)

    def begin_with(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Give the policy and its mean these weights."""
        self._policy.load_state_dict(weights)
        self._mean.load_state_dict(weights)

    def train_on(self, lessons: Lessons, count: int, progress: float) -> dict[str, float]:
        """One step for each minibatch of the first `count` lessons, in a random order; the figures to log."""
        size = self._config.minibatch
        order = self._rng.permutation(count)
        trained = [order[start : start + size] for start in range(0, max(1, count - size + 1), size)]
        terms = [self._step(lessons, rows, progress) for rows in trained]
        return term_figures(terms, lessons.phase[np.concatenate(trained)])

    def _step(self, lessons: Lessons, rows: np.ndarray, progress: float) -> dict[str, np.ndarray]:
        """One step of the optimizer; the terms of the loss by name, () or (B,) each."""
        config = self._config
        for group in self._optimizer.param_groups:
            group["lr"] = scheduled(config.learning_rate, config.learning_rate / 10, progress)
        mask, values = torch.from_numpy(lessons.mask[rows]), torch.from_numpy(lessons.values[rows])
        log_probs, value = self._policy(torch.from_numpy(lessons.observation[rows]).float(), mask)
        terms = lesson_terms(log_probs, value, mask, values, config, progress)
        loss = total_loss(terms)
        if not torch.isfinite(loss):
            raise BuckError(
                f"training: the loss is {loss.item()} after {self.steps:,} updates; "
                "a smaller learning_rate or weight keeps it finite; go on from the last checkpoint with --resume"
            )
        self._optimizer.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._policy.parameters(), config.max_grad_norm)
        self._optimizer.step()
        self.steps += 1
        self._average()
        return {term.name: term.value.detach().numpy() for term in terms}

    @torch.no_grad()
    def _average(self) -> None:
        """Move the running mean; it soon forgets the first steps."""
        share = 1 - min(self._config.averaging, self.steps / (self.steps + 9))
        for mean, parameter in self._averaged:
            mean.lerp_(parameter, share)

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that `restore` takes."""
        state = marked("policy", arrays(self._policy)) | marked("mean", arrays(self._mean))
        state |= marked("optimizer", optimizer_arrays(self._optimizer))
        return state, {"steps": self.steps, "learner_rng": self._rng.bit_generator.state}

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned."""
        self.steps = facts["steps"]
        load(self._policy, part(state, "policy"))
        load(self._mean, part(state, "mean"))
        load_optimizer(self._optimizer, part(state, "optimizer"), stepped=self.steps > 0)
        self._rng.bit_generator.state = facts["learner_rng"]
