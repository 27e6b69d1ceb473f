"""Ratings find the strengths that decided."""

from __future__ import annotations

from math import erf

import numpy as np
import pytest

from training.measuring.ratings import Compared, rate, separate_groups
from training.tournament.lineups import make_lineups


def test_ratings_find_the_strengths_that_decided() -> None:
    strengths = np.array([0.5, 0.0, -0.5])
    win = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    wins = 1e7 * win * ~np.eye(3, dtype=bool)
    ratings = rate(np.stack([wins] * 3), np.ones((3, 3)) / 2)
    assert [r.value for r in ratings] == pytest.approx((strengths * 400 / np.log(10)).tolist(), abs=0.01)
    assert all(r.low == pytest.approx(r.value) == pytest.approx(r.high) for r in ratings)


def test_rating_intervals_cover_the_truth() -> None:
    lineups = make_lineups(2, 3, 0, seed=0)
    compared = Compared(lineups.varied, lineups.agents)
    strength = np.array([0.5, 0.0])[lineups.seatings]
    win = 0.5 + 0.5 * erf(0.5 / 2)  # noise of variance 1 a seat
    truth = 200 / np.log(10) * np.log(win / (1 - win))
    covered = 0
    for event in range(60):
        rng = np.random.default_rng([event, 8])
        scores = rng.normal(size=(200, *strength.shape)) + strength
        rating = rate(compared.matrices(compared.wins(scores, seed=event, block=0)), compared.drawn())[0]
        covered += rating.low <= truth <= rating.high
    assert covered / 60 >= 0.87


@pytest.mark.parametrize("deals", [50, 10_000])
def test_a_whitewash_is_bounded_and_its_interval_as_wide_as_what_is_not_known(deals: int) -> None:
    compared = Compared(make_lineups(2, 4, 0, seed=0).varied, 2)
    net = compared.wins(np.where(make_lineups(2, 4, 0, seed=0).varied == 0, 1, -1)[None], seed=1, block=0)
    better, worse = rate(compared.matrices(deals * net), compared.drawn())
    expected = 200 * np.log10((deals + 0.5) / 0.5)
    assert better.value == pytest.approx(expected, abs=1.0)
    assert better.value == pytest.approx(-worse.value)
    assert better.low < expected - 100
    assert better.high > expected + 100


def test_agents_that_win_every_comparison_stand_in_a_group_before_the_others() -> None:
    wins = np.zeros((5, 5))
    wins[3, [0, 1, 2, 4]] = 9  # 3 wins all, 4 loses all, and 0, 1 and 2 win in a circle
    wins[[0, 1, 2], 4] = 9
    wins[[0, 1, 2], [1, 2, 0]] = 9
    assert separate_groups(wins) == [[3], [0, 1, 2], [4]]
    wins[4, 3] = 0.5
    assert separate_groups(wins) == [[0, 1, 2, 3, 4]]
