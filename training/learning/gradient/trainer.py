"""The network in training: the loss of a minibatch of lessons, steps of the optimizer, and the running mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch

from agents.bots.bot import Bot
from agents.bots.network import NetworkAgent
from agents.compiled.hands import Lessons
from buck_env import Rules
from training.learning.descent import Descent
from training.learning.figures import term_figures
from training.learning.gradient.config import GradientConfig
from training.learning.losses import Term, entropy_of, scheduled, squared_error
from training.learning.network import Network
from training.learning.playouts import playout_distance
from training.learning.run.state import arrays

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
        self._descent = Descent(config, self._policy, self._policy)

    def agent(self, weights: dict[str, np.ndarray] | None = None) -> NetworkAgent:
        """The policy as it is now, or with other weights, as a greedy agent."""
        return NetworkAgent(self._bot, arrays(self._policy) if weights is None else weights)

    def weights(self) -> dict[str, np.ndarray]:
        """The running mean of the weights."""
        return arrays(self._descent.mean)

    def begin_with(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Give the policy and its mean these weights."""
        self._descent.begin_with(weights)

    def train_on(self, lessons: Lessons, count: int, progress: float) -> dict[str, float]:
        """One step for each minibatch of the first `count` lessons, in a random order; the figures to log."""
        size = self._config.minibatch
        order = self._rng.permutation(count)
        trained = [order[start : start + size] for start in range(0, max(1, count - size + 1), size)]
        terms = [self._step(lessons, rows, progress) for rows in trained]
        return term_figures(terms, lessons.phase[np.concatenate(trained)])

    def _step(self, lessons: Lessons, rows: np.ndarray, progress: float) -> dict[str, np.ndarray]:
        """One step of the optimizer; the terms of the loss by name, () or (B,) each."""
        mask, values = torch.from_numpy(lessons.mask[rows]), torch.from_numpy(lessons.values[rows])
        log_probs, value = self._policy(torch.from_numpy(lessons.observation[rows]).float(), mask)
        return self._descent.step(lesson_terms(log_probs, value, mask, values, self._config, progress), progress)

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that `restore` takes."""
        state, facts = self._descent.save("policy")
        return state, {**facts, "learner_rng": self._rng.bit_generator.state}

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned."""
        self._descent.restore("policy", state, facts)
        self._rng.bit_generator.state = facts["learner_rng"]
