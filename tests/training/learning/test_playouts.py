"""What is learned from playouts, by hand and at the tables."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from agents.rules_v1.player import RulesV1
from buck_env import ACTIONS, load_rules
from buck_env.game.options import PHASES
from buck_env.observation.views import original_actions
from training.learning.network import masked_log_softmax
from training.learning.playouts import playout_distance, playout_points
from training.learning.rollout import Rollout
from training.learning.self_play import SelfPlayLearner, TrainConfig


def test_the_distance_from_playouts_by_hand() -> None:
    log_probs = torch.tensor([[0.0, 1.0, 3.0, -80.0], [0.0, -2.0, -80.0, -80.0]])
    action_values = torch.tensor([[2.0, 1.0, 3.0, 0.0], [1.0, 0.0, 0.0, 0.0]])
    mask = torch.tensor([[1, 1, 1, 0], [1, 1, 0, 0]])
    # half a point each: 0, 0.5, 1.5 for 2, 1, 3; about their means -2/3, -1/6, 5/6 for 0, -1, 1; the second agrees
    missed = (2 / 3) ** 2 + (5 / 6) ** 2 + (1 / 6) ** 2
    assert playout_distance(log_probs, mask, action_values, 0.5).item() == pytest.approx(missed / 2)


def test_what_a_policy_brings_by_playouts_and_its_gradient_by_hand() -> None:
    logits = torch.tensor([[0.0, 0.0, 7.0], [2.0, 9.0, 7.0]], requires_grad=True)
    action_values = torch.tensor([[4.0, -2.0, 0.0], [3.0, 0.0, 0.0]])
    points = playout_points(masked_log_softmax(logits, torch.tensor([[1, 1, 0], [1, 0, 0]])), action_values)
    assert points.item() == pytest.approx((1 + 3) / 2)
    points.backward()
    # p (q - mean q) of each action, 0 where there is no choice
    assert logits.grad is not None
    assert np.allclose(logits.grad, np.array([[0.5 * 3, 0.5 * -3, 0], [0, 0, 0]]) / 2)


def test_the_oracle_critic_learns_what_a_playout_does_not_predict() -> None:
    config = TrainConfig(
        tables=32, steps=8, hidden=[16], oracle_critic=True, playouts=True, critic_hidden=[], gae_lambda=1
    )
    learner = SelfPlayLearner(config, load_rules("ohio"))
    critic = learner.trainer.networks["critic"].layers[-1]
    torch.nn.init.zeros_(critic.weight)
    torch.nn.init.constant_(critic.bias, 0.25)
    learner.player.networks.load_state_dict(learner.trainer.networks.state_dict())
    rollout = learner.rollouts[0]
    learner.collector.collect(rollout, 320)
    rows = rollout.finish(1.0, 1.0)
    rows = rows[rollout["final"][rows]]
    assert len(set(rollout["playout"][rows].tolist())) > 4
    assert np.array_equal(rollout["value"][rows], rollout["playout"][rows] + 0.25)
    terms = learner.trainer.step(rollout, rows)
    learner.close()
    missed = rollout["gathered"][rows] - rollout["playout"][rows]
    assert terms["value/critic_loss"] == pytest.approx(0.5 * ((missed - 0.25) ** 2).mean(), rel=1e-5)


@pytest.mark.parametrize("canonical", [True, False])
def test_action_values_are_in_the_order_of_the_learners_mask(canonical: bool) -> None:
    config = TrainConfig(
        tables=64, steps=8, hidden=[16], canonical=canonical, oracle_critic=True, playouts=True, playout_weight=1.0
    )
    learner = SelfPlayLearner(config, load_rules("ohio"))
    rollout, game = learner.rollouts[0], learner.collector.tables
    for _ in range(8):
        first, tables, labels = rollout.length, game.tables.copy(), game.labels.copy()
        learner.collector.step(rollout)
        each, own, *_ = RulesV1(learner.rules).play_out(tables)
        at, seen = np.nonzero(rollout["mask"][first : rollout.length])
        values = rollout["action_values"][first : rollout.length]
        assert np.array_equal(values[at, seen], each[at, original_actions(seen, labels[at])])
        assert np.count_nonzero(values) == np.count_nonzero(each) > 0
        assert np.array_equal(rollout["playout"][first : rollout.length], own)
    learner.close()


@pytest.mark.parametrize("canonical", [True, False])
def test_the_corrected_value_of_the_action_taken_is_what_followed(canonical: bool) -> None:
    """Alone against rules-v1 a playout comes to the learner's next decision as the hand did."""
    config = TrainConfig(
        tables=64, steps=8, hidden=[16], canonical=canonical, oracle_critic=True, playouts=True, playout_gradient=1.0,
        playout_correction=True, opponents=["rules-v1"], opponent_share=1.0,
    )  # fmt: skip
    learner = SelfPlayLearner(config, load_rules("ohio"))
    for rollout, following in (learner.rollouts, learner.rollouts[::-1]):  # the second begins with open decisions
        learner.collector.collect(rollout, 512)
        rows = rollout.finish(1.0, 1.0)
        after = np.where(rollout["final"][rows], 0.0, rollout["value"][rollout["following"][rows]])
        predicted = rollout["action_values"][rows, rollout["action"][rows]]
        assert predicted == pytest.approx(rollout["gathered"][rows] + after, abs=1e-4)
        assert (~rollout["final"][rows]).sum() > 100
        rollout.carry_over(following)
    learner.close()


def test_phases_learned_alone_are_corrected_where_they_are_decided_next() -> None:
    config = TrainConfig(
        tables=64, steps=8, hidden=[16], oracle_critic=True, playouts=True, playout_weight=1.0,
        playout_correction=True, learn=["order", "call"], opponents=["rules-v1"], opponent_share=1.0,
    )  # fmt: skip
    learner = SelfPlayLearner(config, load_rules("ohio"))
    rollout = learner.rollouts[0]
    learner.collector.collect(rollout, 512)
    rows = rollout.finish(1.0, 1.0)
    learner.close()
    order, stop = ACTIONS.index("order"), ACTIONS.index("pass")
    ordering = rows[rollout["phase"][rows] == PHASES.index("order")]
    later = ordering[~rollout["final"][ordering]]
    assert len(later) > 20
    assert (rollout["action"][later] == stop).all()
    assert rollout["action_values"][later, stop] == pytest.approx(
        rollout["value"][rollout["following"][later]], abs=1e-4
    )
    ended = ordering[rollout["action"][ordering] == order]
    assert rollout["action_values"][ended, order] == pytest.approx(rollout["gathered"][ended])


def updated_by_playouts(figure: str, **weights: Any) -> tuple[list[float], Rollout, np.ndarray]:
    """A figure of each of a hundred updates on the same decisions; their rollout and rows."""
    config = TrainConfig(
        tables=64, steps=8, hidden=[64], oracle_critic=True, playouts=True, max_grad_norm=10, **weights
    )
    learner = SelfPlayLearner(config, load_rules("ohio"))
    rollout = learner.rollouts[0]
    learner.collector.collect(rollout, 512)
    rows = rollout.finish(1.0, 0.5)
    figures = [float(learner.trainer.step(rollout, rows)[figure]) for _ in range(100)]
    learner.close()
    return figures, rollout, rows


def test_the_policy_comes_to_bring_more_points_by_playouts() -> None:
    points, rollout, rows = updated_by_playouts("policy/playout_points", playout_gradient=10.0)
    best = np.where(rollout["mask"][rows] > 0, rollout["action_values"][rows], -99).max(axis=1).mean()
    assert points[0] < points[-1] <= best
    assert points[-1] > points[0] + 0.7 * (best - points[0])


def test_the_policy_comes_nearer_to_what_playouts_say_as_far_as_they_weigh() -> None:
    for weight, low, high in ((10.0, 0.0, 0.7), (1e-9, 0.8, 2.0)):
        distances, _, _ = updated_by_playouts("policy/playout_loss", playout_weight=weight)
        assert low < distances[-1] / distances[0] < high
