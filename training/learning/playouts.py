"""What is learned from playouts: hands that `rules-v1` plays on from a decision, at every seat, in the deal as it is.

They teach in two ways. The points of the hand played on from a decision are the baseline of the oracle critic, which
predicts only what comes on top of them. And the points after each legal action, the action values, pull the policy
toward the better ones, as a distance or by the all-action policy gradient.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np
import torch

from agents.rules_v1.player import RulesV1
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.rules import Rules
from buck_env.observation.views import original_actions
from training.learning.losses import Minibatch, Term, scheduled
from training.learning.rollout import Column
from training.learning.train_config import TrainConfig

__all__ = ["PlayoutTeacher", "playout_distance", "playout_points"]

NextValues = Callable[[np.ndarray], np.ndarray]
"""The oracle critic: of tables (K,) TABLE, its value (K,) for the seat to act."""


class PlayoutTeacher:
    """All that a learner takes from playouts; where the configuration has none, it has empty columns and no terms.

    The columns `playout` and `action_values` are written at each decision of a rollout. With `playout_correction` an
    action value is that of the playout as far as the seat's next decision in one of the learned `phases`, and the
    critic's from there.
    """

    def __init__(self, config: TrainConfig, rules: Rules, phases: Collection[str]) -> None:
        self._config = config
        self._player = RulesV1(rules) if config.playouts else None
        self._until = phases if config.playout_correction else ()
        self.columns = (
            Column("playout"),
            Column(
                "action_values", (NUM_ACTIONS if config.action_values else 0,), suits="actions", stored="outcomes"
            ),
        )  # fmt: skip

    def columns_of(
        self, states: np.ndarray, mask: np.ndarray, labels: np.ndarray, next_values: NextValues
    ) -> dict[str, np.ndarray]:
        """The columns of the decisions at tables (B,) TABLE, whose learner sees the mask (B, A) and suits by labels
        (B,); none without playouts."""
        if self._player is None:
            return {}
        every = self._config.action_values
        playouts = self._player.play_out(states, every=every, until=self._until)
        if not every:
            return {"playout": playouts.own}
        points = playouts.each
        if len(playouts.later):
            rows, actions = playouts.origin.T
            points[rows, actions] += next_values(playouts.later)
        at, actions = np.nonzero(mask)
        values = np.zeros_like(points)
        values[at, actions] = points[at, original_actions(actions, labels[at])]
        return {"playout": playouts.own, "action_values": values}

    def add_baseline(self, critic: np.ndarray, columns: Mapping[str, np.ndarray]) -> np.ndarray:
        """Values (B,) of decisions with these columns, of what the critic expects on top of the playout (B,)."""
        return critic if self._player is None else critic + columns["playout"]

    def subtract_baseline(self, returns: torch.Tensor, columns: Mapping[str, torch.Tensor]) -> torch.Tensor:
        """What the critic is to expect (B,), of the returns (B,) of decisions with these columns."""
        return returns if self._player is None else returns - columns["playout"]

    def terms(self, batch: Minibatch, progress: float) -> list[Term]:
        """The terms of the loss by which the action values teach the policy."""
        config = self._config
        if not config.action_values:
            return []
        mask, values = batch.columns["mask"], batch.columns["action_values"]
        terms = []
        if config.playout_weight:
            distance = playout_distance(batch.log_probs, mask, values, config.playout_temperature)
            terms.append(Term("policy/playout_loss", scheduled(config.playout_weight, 0.0, progress), distance))
        if config.playout_gradient:
            points = playout_points(batch.log_probs, values)
            terms.append(Term("policy/playout_points", -config.playout_gradient, points))
        return terms


def playout_distance(
    log_probs: torch.Tensor, mask: torch.Tensor, action_values: torch.Tensor, temperature: float
) -> torch.Tensor:
    """How far the policy is from one that prefers an action to another by e for every so many points that it brings
    more, squared in points, a scalar, of log-probabilities, masks and action values (B, A)."""
    legal = (mask != 0).float()
    gap = (temperature * log_probs - action_values) * legal
    gap = gap - legal * gap.sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)
    return gap.square().sum(dim=1).mean()


def playout_points(log_probs: torch.Tensor, action_values: torch.Tensor) -> torch.Tensor:
    """The points that the policy's actions bring on average, a scalar, of log-probabilities and action values (B, A),
    0 where illegal. Its gradient is the all-action policy gradient."""
    return (log_probs.exp() * action_values).sum(dim=1).mean()
