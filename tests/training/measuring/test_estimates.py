"""Means, intervals and p-values, against numbers worked by hand and against the truth."""

from __future__ import annotations

import numpy as np
import pytest

from training.measuring.estimates import Estimate, holm, quantile


def test_estimate_as_worked_by_hand() -> None:
    estimate = Estimate.of(np.array([0.0, 1.0, 1.0, 2.0]))
    half = 3.182 * (2 / 3) ** 0.5 / 2  # t at 3 degrees of freedom, deviation, root of the deals
    assert estimate.mean == 1
    assert estimate.high - 1 == pytest.approx(half, rel=0.01)
    assert 1 - estimate.low == pytest.approx(half, rel=0.01)
    assert estimate.deviation == pytest.approx((2 / 3) ** 0.5)
    assert str(Estimate(0.312, 0.271, 0.349, 9)) == "+0.31 [0.27, 0.35]"
    assert str(Estimate(-0.001, -0.004, -0.002, 9)) == "+0.00 [0.00, 0.00]"
    with pytest.raises(ValueError, match="at least 2 deals"):
        Estimate.of(np.zeros(1))


@pytest.mark.parametrize(("degrees", "t"), [(3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423), (10**6, 1.95997)])
def test_quantile_is_students(degrees: int, t: float) -> None:
    assert quantile(degrees) == pytest.approx(t, rel=0.01 if degrees < 5 else 0.003)


def test_means_of_different_deals_add_up_and_so_do_their_variances() -> None:
    both = Estimate(0.5, 0.2, 0.8, 9).plus(Estimate(-0.1, -0.5, 0.3, 4))
    assert (both.mean, both.low, both.high) == pytest.approx((0.4, -0.1, 0.9))
    assert both.deals == 4


def test_an_estimate_is_written_with_the_digits_asked_for() -> None:
    assert Estimate(0.3126, 0.2714, -0.00001, 9).rounded(3) == "+0.313 [0.271, 0.000]"


def test_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(1)
    luck = rng.normal(size=(2000, 60, 1))  # shared by the four rotations of a deal
    values = (0.3 + luck + rng.choice([-5.0, 1.0, 4.0], size=(2000, 60, 4))).mean(axis=2)
    estimates = [Estimate.of(event) for event in values]
    covered = np.mean([estimate.low <= 0.3 <= estimate.high for estimate in estimates])
    assert 0.93 <= covered <= 0.97


def test_holm_as_worked_by_hand() -> None:
    assert holm(np.array([0.04, 0.01, 0.02, 0.9])).tolist() == pytest.approx([0.08, 0.04, 0.06, 0.9])
    assert holm(np.array([0.6, 0.7])).tolist() == [1.0, 1.0]


def test_p_and_interval_agree() -> None:
    values = np.random.default_rng(0).normal(0.1, 1, size=400)
    estimate = Estimate.of(values)
    at_edge = Estimate.of(values - estimate.low)
    assert at_edge.p == pytest.approx(0.05)
    assert Estimate.of(np.zeros(9)).p == 1
