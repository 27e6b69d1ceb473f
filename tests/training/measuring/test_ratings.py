"""Ratings find the strengths that decided."""

from __future__ import annotations

from math import erf

import numpy as np
import pytest

from training.measuring.ratings import Compared, rate
from training.tournament.lineups import make_lineups


def test_ratings_find_the_strengths_that_decided() -> None:
    strengths = np.array([0.5, 0.0, -0.5])
    win = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
    wins = 1e7 * win * ~np.eye(3, dtype=bool)
    ratings = rate(np.stack([wins] * 3))
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
        rating = rate(compared.matrices(compared.wins(scores, seed=event, block=0)))[0]
        covered += rating.low <= truth <= rating.high
    assert covered / 60 >= 0.87
