"""The figures of a deal, and the weighted sums that are measures."""

from __future__ import annotations

import numpy as np
import pytest

from training.tournament.figures import Figures, Weights
from training.tournament.lineups import Lineups, make_lineups

DEALS = np.random.default_rng(1).integers(-5, 6, size=(7, 40, 3))


def drawn(lineups: Lineups) -> np.ndarray:
    """Scores (7, M, S) that sum to anything."""
    return DEALS[:, : len(lineups.seatings), : lineups.seats].astype(np.int64)


def mean_of(figures: Figures, scores: np.ndarray, weights: Weights) -> float:
    return float((figures.of(scores)[0] @ weights.numerators).mean()) / weights.denominator


def test_measures_of_a_pair_are_those_of_the_seats_one_by_one() -> None:
    lineups = make_lineups(2, 3, 0, seed=1)
    figures, scores = Figures(lineups), drawn(lineups)
    rows = lineups.pairs
    points = [float(scores[:, rows[0, 1, seat], seat].mean()) for seat in range(3)]
    without = [float(scores[:, rows[1, 1, seat], seat].mean()) for seat in range(3)]
    others = [
        float(np.delete(scores[:, rows[0, 1, seat]], seat, axis=1).mean(axis=1).mean()) for seat in range(3)
    ]  # fmt: skip
    assert mean_of(figures, scores, figures.weights("points", 0, [1])) == pytest.approx(np.mean(points))
    assert mean_of(figures, scores, figures.weights("edge", 0, [1])) == pytest.approx(np.mean(points) - np.mean(others))
    assert mean_of(figures, scores, figures.weights("gain", 0, [1])) == pytest.approx(
        np.mean(points) - np.mean(without)
    )


def test_among_several_others_a_measure_is_the_mean_of_those_among_each() -> None:
    lineups = make_lineups(3, 3, 0, seed=1)
    figures, scores = Figures(lineups), drawn(lineups)
    each = [mean_of(figures, scores, figures.weights("edge", 0, [other])) for other in (1, 2)]
    assert mean_of(figures, scores, figures.weights("edge", 0, [1, 2])) == pytest.approx(np.mean(each))


def test_mixed_line_ups_compare_each_seat_with_the_others_at_its_table() -> None:
    lineups = make_lineups(3, 3, "all", seed=1)
    figures, scores = Figures(lineups), drawn(lineups)
    for agent in range(3):
        apart = [
            scores[:, row, seat] - np.delete(scores[:, row], seat, axis=1).mean(axis=1)
            for row in lineups.mixed.reshape(-1)
            for seat in range(3)
            if lineups.seatings[row, seat] == agent
        ]
        assert mean_of(figures, scores, figures.mixed_weights(agent)) == pytest.approx(np.mean(apart))


def test_squares_are_those_of_single_hands() -> None:
    lineups = make_lineups(2, 3, 0, seed=1)
    scores = drawn(lineups)
    squares = Figures(lineups).of(scores)[1]
    own = [int((scores[:, lineups.pairs[0, 1, seat], seat] ** 2).sum()) for seat in range(3)]
    assert squares[0, 0, 1] == sum(own)
    assert squares.shape == (2, 2, 2)


def test_weights_are_subtracted_and_divided_without_rounding() -> None:
    third, half = Weights(np.array([1, 0]), 3), Weights(np.array([0, 1]), 2)
    difference = (third - half).over(5)
    assert (difference.numerators.tolist(), difference.denominator) == ([2, -3], 30)
