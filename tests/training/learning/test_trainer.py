"""Minibatches, steps and the running mean."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from buck_env import BuckError, load_rules
from training.learning.playouts import PlayoutTeacher
from training.learning.rollout import Rollout
from training.learning.run.state import arrays
from training.learning.train_config import TrainConfig
from training.learning.trainer import Trainer

RULES = load_rules("ohio")
LEFT, RIGHT = 0, 1


def trainer_of(**changes: Any) -> Trainer:
    torch.manual_seed(1)
    config = TrainConfig(**{"hidden": [8], "minibatch": 4, "entropy": 0.0, **changes})
    return Trainer(config, RULES, PlayoutTeacher(config, RULES, RULES.phases), torch.device("cpu"))


def rollout_of(trainer: Trainer, rows: int) -> Rollout:
    """Decisions between two actions: every other one went right, and only right brought anything."""
    rollout = Rollout(rows, 1, 4)
    rollout.length = rows
    rollout["mask"][:, [LEFT, RIGHT]] = 1
    rollout["action"][1::2] = RIGHT
    rollout["advantage"][:] = np.where(rollout["action"] == RIGHT, 1.0, -1.0)
    rollout["log_prob"][:] = np.log(0.5)
    return rollout


def chance_of_right(trainer: Trainer) -> float:
    mask = torch.zeros(1, 43, dtype=torch.int8)
    mask[0, [LEFT, RIGHT]] = 1
    log_probs, _ = trainer.networks["policy"](torch.zeros(1, 512), mask)
    return float(log_probs[0, RIGHT].detach().exp())


@pytest.mark.parametrize(("rows", "steps"), [(1, 0), (2, 1), (3, 1), (4, 1), (7, 1), (8, 2), (11, 2)])
def test_minibatches_are_of_one_size_and_a_small_rollout_is_one(rows: int, steps: int) -> None:
    trainer = trainer_of()
    figures = trainer.train_on(rollout_of(trainer, rows), np.arange(rows), 0.0)
    assert trainer.steps == steps
    assert bool(figures) == bool(steps)


def test_each_epoch_goes_through_the_rollout_once_more() -> None:
    trainer = trainer_of(epochs=3)
    trainer.train_on(rollout_of(trainer, 8), np.arange(8), 0.0)
    assert trainer.steps == 6


def test_what_brought_more_becomes_likelier() -> None:
    trainer = trainer_of()
    before = chance_of_right(trainer)
    trainer.train_on(rollout_of(trainer, 8), np.arange(8), 0.0)
    assert chance_of_right(trainer) > before


def test_the_first_running_mean_moves_nine_tenths_of_the_way() -> None:
    """After one step the mean keeps min(averaging, 1 / 10) of what it was."""
    trainer = trainer_of()
    start = arrays(trainer.mean)
    trainer.step(rollout_of(trainer, 4), np.arange(4))
    now, mean = arrays(trainer.networks["policy"]), arrays(trainer.mean)
    for name, array in start.items():
        assert mean[name] == pytest.approx(0.1 * array + 0.9 * now[name], abs=1e-6)


def test_a_loss_that_is_not_finite_ends_the_run_with_what_may_mend_it() -> None:
    trainer = trainer_of()
    rollout = rollout_of(trainer, 4)
    rollout["value"][0] = np.inf
    with pytest.raises(BuckError, match="the loss is inf after 0 updates; a smaller learning_rate"):
        trainer.step(rollout, np.arange(4))


def test_a_restored_trainer_steps_on_as_the_one_that_was_saved() -> None:
    one, other = trainer_of(), trainer_of(seed=2)
    rollout = rollout_of(one, 8)
    one.train_on(rollout, np.arange(8), 0.0)
    other.restore(*one.save())
    for trainer in (one, other):
        trainer.train_on(rollout, np.arange(8), 0.5)
    for name, array in arrays(one.mean).items():
        assert (arrays(other.mean)[name] == array).all()
