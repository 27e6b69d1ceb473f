"""The numpy network of a bot: what it sees of an observation, and its layers."""

from __future__ import annotations

import numpy as np
import pytest

from agents.bots.network import input_scale, layer_names
from buck_env import LAYOUT, NUM_ACTIONS, OBSERVATION_SIZE, PIECES


@pytest.mark.parametrize(("objective", "of_match"), [("points", 0), ("win", 1 / 16)])
def test_who_plays_for_points_sees_no_scores_and_all_else_as_it_is(objective: str, of_match: float) -> None:
    scale = input_scale(objective)
    assert (scale.dtype, scale.shape) == (np.float32, (OBSERVATION_SIZE,))
    for piece in PIECES:
        expected = of_match if piece.name in ("scores", "hands_left") else 1
        assert (scale[LAYOUT[piece.name]] == expected).all(), piece.name


def test_each_layer_takes_what_the_one_before_it_gives() -> None:
    assert layer_names([128, 64]) == [
        ("hidden_0", OBSERVATION_SIZE, 128),
        ("hidden_1", 128, 64),
        ("policy", 64, NUM_ACTIONS),
        ("value", 64, 1),
    ]
