"""The all-action gradient, by hand and in a game of two decisions whose best response is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from agents.compiled.hands import Lessons, make_lessons
from buck_env import load_rules
from training.learning.gradient.config import GradientConfig
from training.learning.gradient.trainer import GradientTrainer, lesson_terms
from training.learning.losses import total_loss
from training.learning.network import masked_log_softmax

SETTINGS: dict[str, Any] = {"hidden": [16], "minibatch": 64, "averaging": 0.9}
SAFE, RISK = 0, 1
BACK, ON = 2, 3


def test_the_gradient_is_each_actions_advantage_by_its_probability() -> None:
    logits = torch.tensor([[0.0, 0.0, 7.0], [2.0, 9.0, 7.0]], requires_grad=True)
    mask, values = torch.tensor([[1, 1, 0], [1, 0, 0]]), torch.tensor([[4.0, -2.0, 0.0], [3.0, 0.0, 0.0]])
    config = GradientConfig(gradient=2.0, entropy=0.0, value=0.0)
    terms = lesson_terms(masked_log_softmax(logits, mask), torch.zeros(2), mask, values, config, 0.0)
    loss = total_loss(terms)
    assert loss.item() == pytest.approx(-2 * (1 + 3) / 2)
    loss.backward()  # type: ignore[no-untyped-call]
    assert logits.grad is not None
    assert logits.grad.numpy() == pytest.approx(-2 * np.array([[0.5 * 3, 0.5 * -3, 0], [0, 0, 0]]) / 2)


def lessons_of(trainer: GradientTrainer, draws: np.random.Generator, count: int) -> Lessons:
    """Lessons of a game: SAFE brings 1 point and ends it. After RISK, BACK brings 0, and ON brings 5 or -2, as a coin
    falls that is not seen. Who goes on after RISK earns 1.5; who would go back had better stay SAFE."""
    lessons = make_lessons(count)
    lessons.observation[:count, 0] = 1
    lessons.observation[0:count:2, 1] = 1  # the first decision; odd rows hold the second
    lessons.mask[0:count:2, [SAFE, RISK]] = 1
    lessons.mask[1:count:2, [BACK, ON]] = 1
    coins = np.where(draws.random(count) < 0.5, 5.0, -2.0)
    lessons.values[1:count:2, ON] = coins[1::2]
    log_probs, _ = trainer.agent().policy(lessons.observation[1:2], lessons.mask[1:2])
    goes_on = log_probs[0].argmax() == ON  # its own later choice, as it now is
    lessons.values[0:count:2, SAFE] = 1.0
    lessons.values[0:count:2, RISK] = coins[0::2] if goes_on else 0.0
    return lessons


def test_the_best_response_of_a_game_of_two_decisions_is_found() -> None:
    trainer = GradientTrainer(GradientConfig(learning_rate=0.01, **SETTINGS), load_rules("ohio"))
    draws = np.random.default_rng(3)
    for _ in range(60):
        figures = trainer.train_on(lessons_of(trainer, draws, 256), 256, 0.0)
    assert {"policy/playout_points", "policy/entropy", "value/loss"} <= set(figures)
    lessons = lessons_of(trainer, draws, 2)
    log_probs, _ = trainer.agent(trainer.weights()).policy(lessons.observation[:2], lessons.mask[:2])
    assert log_probs.argmax(axis=1).tolist() == [RISK, ON]


def test_a_loss_that_is_not_finite_is_refused() -> None:
    trainer = GradientTrainer(GradientConfig(**SETTINGS), load_rules("ohio"))
    lessons = lessons_of(trainer, np.random.default_rng(3), 64)
    lessons.values[0, SAFE] = np.inf
    with pytest.raises(Exception, match="the loss is"):
        trainer.train_on(lessons, 64, 0.0)
