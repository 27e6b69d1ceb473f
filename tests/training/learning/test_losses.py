"""The terms of the loss, each against numbers worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from buck_env import OBSERVATION_SIZE
from training.learning.losses import clipped_policy_loss, entropy_of, kl_of, scheduled
from training.learning.network import Network


def test_the_clipped_loss_by_hand() -> None:
    ratios, advantage = torch.tensor([1.5, 1.5, 0.5, 0.5, 1.1]), torch.tensor([1.0, -1.0, 1.0, -1.0, 2.0])
    gained = [1.2, -1.5, 0.5, -0.8, 2.2]  # clipped at 1.2; not; not; clipped at 0.8; within
    assert clipped_policy_loss(ratios.log(), advantage, 0.2).item() == pytest.approx(-sum(gained) / 5)


def test_the_divergence_by_hand() -> None:
    p = torch.tensor([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]]).clamp_min(1e-30).log()
    q = torch.tensor([[0.25, 0.75, 0.0], [1.0, 0.0, 0.0]]).clamp_min(1e-30).log()
    assert kl_of(p, q)[0].item() == pytest.approx(0.5 * np.log(2) + 0.5 * np.log(2 / 3))
    assert kl_of(p, q)[1].item() == pytest.approx(0.0)
    assert kl_of(p, p).abs().max().item() == pytest.approx(0.0)


@pytest.mark.parametrize(("progress", "value"), [(-1, 0.1), (0, 0.1), (0.25, 0.08), (1, 0.02), (3, 0.02)])
def test_a_schedule_is_a_straight_line_that_ends(progress: float, value: float) -> None:
    assert scheduled(0.1, 0.02, progress) == pytest.approx(value)


def test_entropy_of_k_equal_actions_is_log_k_and_of_one_is_0() -> None:
    network = Network([16])
    with torch.no_grad():
        network.get_submodule("policy").weight.zero_()  # type: ignore[operator, union-attr]
    for k in (1, 2, 5, 43):
        mask = torch.zeros(1, 43, dtype=torch.int8)
        mask[0, :k] = 1
        log_probs, _ = network(torch.zeros(1, OBSERVATION_SIZE), mask)
        assert entropy_of(log_probs).item() == pytest.approx(np.log(k), abs=1e-5)
