"""Values over weighted deals: means, errors, and two halves that do not flatter."""

from __future__ import annotations

import numpy as np
import pytest

from agents.search.look_ahead import Looked
from training.analysis.values import half_widths, judge, means_of

ALLOWED = np.array([[1, 1, 1, 0]])


def looked(points: np.ndarray, weights: np.ndarray | None = None, effective: float | None = None) -> Looked:
    """What N deals (N, A) say of one decision."""
    n = len(points)
    shares = np.full(n, 1 / n) if weights is None else weights / weights.sum()
    worth = 1 / (shares**2).sum() if effective is None else effective
    return Looked(points[None].astype(np.float32), shares[None], np.array([worth]))


def test_means_and_errors_of_even_deals_are_those_of_a_sample() -> None:
    points = np.random.default_rng(0).normal(size=(50, 4))
    values, errors = means_of(looked(points))
    assert values[0] == pytest.approx(points.mean(axis=0), abs=1e-6)
    assert errors[0] == pytest.approx(points.std(axis=0, ddof=1) / 50**0.5, rel=1e-5)


def test_weights_count_a_deal_by_its_share() -> None:
    points = np.array([[1.0], [3.0], [5.0]])
    values, _ = means_of(looked(points, np.array([2.0, 1.0, 1.0])))
    assert values[0, 0] == pytest.approx(2.5)


def test_the_same_deal_drawn_again_narrows_nothing() -> None:
    points = np.random.default_rng(1).normal(size=(20, 2))
    once, again = looked(points), looked(np.repeat(points, 3, axis=0), effective=20.0)
    assert means_of(again).values == pytest.approx(means_of(once).values, abs=1e-6)
    assert means_of(again).errors == pytest.approx(means_of(once).errors, rel=1e-5)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    generator = np.random.default_rng(2)
    held = []
    for _ in range(400):
        weights = generator.exponential(size=200)
        values, errors = means_of(looked(generator.normal(size=(200, 1)), weights))
        held.append(abs(values[0, 0]) <= half_widths(errors, np.array([100.0]))[0, 0])
    assert 0.91 <= np.mean(held) <= 0.98


def test_the_best_of_equal_actions_is_not_flattered() -> None:
    generator = np.random.default_rng(3)
    best, naive = [], []
    for _ in range(600):
        halves = [looked(generator.normal(size=(20, 4))) for _ in range(2)]
        judged = judge(*halves, ALLOWED)
        best.append(judged.best_value[0])
        naive.append(judged.values[0, judged.best[0]])
    error = np.std(best) / len(best) ** 0.5
    assert abs(np.mean(best)) < 3 * error
    assert np.mean(naive) > 10 * error  # what choosing and valuing by the same deals would say


def test_what_is_behind_is_behind_by_as_much() -> None:
    generator = np.random.default_rng(4)
    luck = generator.normal(scale=5.0, size=(2, 200, 1))
    halves = [looked(luck[half] + np.array([1.0, 0.0, 0.5, 9.0])) for half in range(2)]
    judged = judge(*halves, ALLOWED)
    assert judged.best[0] == 0  # the illegal action counts for nothing
    assert judged.behind[0] == pytest.approx([0.0, 1.0, 0.5, 0.0], abs=1e-5)
    assert judged.behind_errors[0] == pytest.approx(0.0, abs=1e-5)  # luck that is the same for all cancels out
    assert judged.errors[0, 0] > 0.1


def test_halves_that_are_worth_nothing_count_alike_and_claim_little() -> None:
    points = np.arange(24.0).reshape(6, 4)
    with np.errstate(all="raise"):
        judged = judge(looked(points, effective=0.0), looked(points + 1, effective=0.0), ALLOWED)
    assert judged.values[0, :3] == pytest.approx(points.mean(axis=0)[:3] + 0.5)
    assert judged.effective[0] == 0
    assert (half_widths(judged.errors, judged.effective)[0, :3] > 12).all()


def test_a_half_that_is_worth_nothing_does_not_count() -> None:
    points = np.arange(24.0).reshape(6, 4)
    judged = judge(looked(points), looked(points + 1, effective=0.0), ALLOWED)
    assert judged.values[0, :3] == pytest.approx(points.mean(axis=0)[:3])
