"""The luck of the deal: its exact means, and that it is that of the deals played."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from buck_env.game.rules import PROFILES
from buck_env.observation.views import Views
from training.measuring.arena import play_hands
from training.measuring.duplicate import deal_seeds
from training.measuring.luck import deal_luck, expected_luck


@pytest.mark.parametrize("name", PROFILES)
def test_the_means_of_the_luck_are_exact(name: str) -> None:
    luck = deal_luck(PROFILES[name], deal_seeds(9, 40_000))
    expected = expected_luck(PROFILES[name])
    error = luck.std(axis=0) / sqrt(len(luck))
    assert luck.shape[1] == len(expected)
    assert (np.abs(luck.mean(axis=0) - expected) < 4.5 * error).all()


def test_the_luck_is_that_of_the_deals_that_are_played() -> None:
    rules, seeds = PROFILES["ohio"], deal_seeds(2, 30)
    luck = deal_luck(rules, seeds)
    seen: list[np.ndarray] = []

    class Watch:
        def act(self, views: Views) -> np.ndarray:
            seen.append(views.tables["rest"][:, 0].copy())
            return views.action_mask.argmax(axis=1)

    play_hands(rules, {"watch": Watch()}, np.zeros((30, 4), np.int64), seeds)
    club = luck[:, 2 * rules.seats + 1]
    assert club.any()
    assert (club == (seen[0] // 6 == 0)).all()
