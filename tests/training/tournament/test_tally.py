"""The sums of an event against the arrays, and intervals that cover the truth."""

from __future__ import annotations

from math import erf, sqrt

import numpy as np
import pytest

from training.measuring.duplicate import edge_numerators, gain_numerators, own
from training.measuring.estimates import Estimate
from training.tournament.hand_tally import HandTally
from training.tournament.lineups import Lineups, make_lineups
from training.tournament.run import LEAST, narrow
from training.tournament.tally import BLOCK, Tally


def random_scores(lineups: Lineups, deals: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return rng.choice([-5, 0, 1, 2, 4], size=(deals, *lineups.seatings.shape)).astype(np.int16)


def tallied(lineups: Lineups, scores: np.ndarray, luck: np.ndarray | None = None, mean: float = 0.0) -> Tally:
    luck = np.zeros((len(scores), 0)) if luck is None else luck
    tally = HandTally(lineups, np.full(luck.shape[1], mean), seed=1)
    for first in range(0, len(scores), BLOCK):
        block = slice(first, first + BLOCK)
        tally.add(first, scores[block], luck[block], np.zeros_like(tally.behaviour))
    return tally


@pytest.mark.parametrize("seats", [3, 4])
def test_estimates_of_sums_are_those_of_the_deals(seats: int) -> None:
    lineups = make_lineups(3, seats, 1, seed=2)
    scores = random_scores(lineups, 170)
    tally = tallied(lineups, scores)
    points = scores[:, lineups.pairs].astype(float)  # (n, K, K, S, S)
    without = own(points)[:, range(3), range(3)]
    each = {
        "points": own(points).mean(axis=-1),
        "edge": edge_numerators(points) / (seats * (seats - 1)),
        "gain": gain_numerators(points, without[:, None]) / seats,
    }
    for measure, values in each.items():
        expected = Estimate.of(values[:, 0, [1, 2]].mean(axis=1))
        found = tally.estimate(tally.figures.weights(measure, 0, [1, 2]))  # type: ignore[arg-type]
        assert (found.mean, found.low, found.deals) == pytest.approx((expected.mean, expected.low, 170), abs=1e-9)
    seated = lineups.seatings[lineups.mixed]
    mixed = scores[:, lineups.mixed].astype(float)
    beyond = (seats * mixed - mixed.sum(axis=-1, keepdims=True)) / (seats - 1)
    expected = Estimate.of(np.array([deal[seated == 1].mean() for deal in beyond]))
    found = tally.estimate(tally.figures.mixed_weights(1))
    assert (found.mean, found.low) == pytest.approx((expected.mean, expected.low))
    single = ((seats * own(points) - points.sum(axis=-1)) / (seats - 1))[:, 0, 1]
    ratio = seats * each["edge"][:, 0, 1].var(ddof=1) / single.var()
    assert tally.variance_ratio("edge", 0, 1) == pytest.approx(ratio)


def test_agents_of_equal_scores_have_edges_and_gains_of_exactly_0_and_ratings_of_about_0() -> None:
    lineups = make_lineups(3, 3, 1, seed=0)
    seat = np.random.default_rng(3).choice([-5, 1, 4], size=(60, 1, 3))
    tally = tallied(lineups, np.broadcast_to(seat, (60, *lineups.seatings.shape)).astype(np.int16))
    for measure in ("edge", "gain"):
        found = tally.estimate(tally.figures.weights(measure, 0, [1, 2]))  # type: ignore[arg-type]
        assert (found.mean, found.half, found.p) == (0, 0, 1)
    assert [rating.value for rating in tally.ratings()] == pytest.approx([0, 0, 0], abs=1e-6)


CUTS, OUTCOMES = (-0.6, 0.3, 1.2), np.array([-5, 0, 1, 4])


def simulated(strengths: tuple[float, float], until: float | None, events: int) -> list[tuple[Estimate, ...]]:
    """Edge, adjusted edge and gain of agent 0 in events of two stochastic agents: a deal gives each seat its luck."""
    lineups = make_lineups(2, 3, 0, seed=0)
    strength = np.array(strengths)[lineups.seatings]
    found = []
    for event in range(events):
        rng = np.random.default_rng([event, 77])
        tally = HandTally(lineups, np.zeros(3), seed=event)
        while tally.deals < 4000:
            luck = rng.normal(size=(BLOCK, 1, 3))
            noise = rng.normal(size=(BLOCK, *strength.shape))
            scores = OUTCOMES[np.searchsorted(CUTS, luck + noise + strength)]
            tally.add(tally.deals, scores, np.rint(4 * luck[:, 0]), np.zeros_like(tally.behaviour))
            if tally.deals >= LEAST and (until is None or narrow(tally) <= until):
                break
        edge, gain = tally.figures.weights("edge", 0, [1]), tally.figures.weights("gain", 0, [1])
        found.append((tally.estimate(edge), tally.adjusted(edge), tally.estimate(gain)))
    return found


def mean_outcome(strength: float) -> float:
    """Of luck and noise of variance 2 together."""
    below = [0.0, *(0.5 + 0.5 * erf((cut - strength) / 2) for cut in CUTS), 1.0]
    return float(np.diff(below) @ OUTCOMES)


def check_coverage(strengths: tuple[float, float], until: float | None, events: int, slack: float) -> None:
    found = simulated(strengths, until, events)
    truth = mean_outcome(strengths[0]) - mean_outcome(strengths[1])
    for measure in zip(*found, strict=True):
        covered = np.mean([estimate.low <= truth <= estimate.high for estimate in measure])
        assert 0.93 - slack <= covered <= 0.97 + slack
        width = np.mean([estimate.half for estimate in measure])
        spread = 1.96 * np.std([estimate.mean for estimate in measure])
        assert width == pytest.approx(spread, rel=0.1 + 4 * slack)
    deals = np.array([edge.deals for edge, _, _ in found])
    assert (deals >= LEAST).all()
    if until is not None:
        assert all(max(edge.half, gain.half) <= until for edge, _, gain in found)
        assert LEAST < deals.mean() < 4000


CASES = [((0.0, 0.0), None), ((0.4, 0.0), None), ((0.0, 0.0), 0.15), ((0.4, 0.0), 0.15)]


@pytest.mark.parametrize(("strengths", "until"), CASES)
def test_intervals_cover_the_truth_as_often_as_they_say(strengths: tuple[float, float], until: float | None) -> None:
    check_coverage(strengths, until, events=150, slack=0.03)


@pytest.mark.soak
@pytest.mark.parametrize(("strengths", "until"), CASES)
def test_intervals_of_2000_events_cover_the_truth_in_93_to_97_percent(
    strengths: tuple[float, float], until: float | None
) -> None:
    check_coverage(strengths, until, events=2000, slack=0.0)


def test_taking_luck_out_moves_no_mean_and_narrows_intervals() -> None:
    lineups = make_lineups(2, 3, 0, seed=0)
    adjusted, plain = [], []
    for event in range(300):
        rng = np.random.default_rng([event, 5])
        luck = rng.poisson(2.0, size=(100, 2))  # skewed, of mean 2
        scores = rng.integers(-2, 3, size=(100, *lineups.seatings.shape))
        alone = lineups.seatings == 0
        scores += np.where(alone, luck[:, :1, None] ** 2 - luck[:, 1:, None], 0)  # mean 6 - 2
        tally = tallied(lineups, scores, luck, mean=2.0)
        weights = tally.figures.weights("points", 0, [1])
        adjusted.append(tally.adjusted(weights))
        plain.append(tally.estimate(weights))
    means = np.array([estimate.mean for estimate in adjusted])
    assert abs(means.mean() - 4) < 3 * means.std() / sqrt(len(means))
    assert means.std() < 0.6 * np.std([estimate.mean for estimate in plain])
    covered = np.mean([estimate.low <= 4 <= estimate.high for estimate in adjusted])
    assert 0.91 <= covered <= 0.98


def test_a_deal_has_no_part_in_the_coefficients_it_is_adjusted_by() -> None:
    lineups = make_lineups(2, 3, 0, seed=0)
    luck = np.full((100, 1), 2)
    luck[3::5, 0] = np.random.default_rng(1).integers(0, 9, size=20)  # one part alone has luck beyond its mean
    scores = random_scores(lineups, 100) + 3 * luck[:, :, None].astype(np.int16)
    tally = tallied(lineups, scores, luck, mean=2.0)
    weights = tally.figures.weights("points", 0, [1])
    assert luck.mean() > 2.2
    assert tally.adjusted(weights).mean == pytest.approx(tally.estimate(weights).mean)


def test_ratings_do_not_depend_on_the_order_of_play() -> None:
    lineups = make_lineups(3, 4, 1, seed=0)
    scores = random_scores(lineups, 200)
    shuffled = scores[np.random.default_rng(0).permutation(200)]
    one, other = tallied(lineups, scores), tallied(lineups, shuffled)
    assert (one.wins() == other.wins()).all()
    assert [r.value for r in one.ratings()] == pytest.approx([r.value for r in other.ratings()])


def test_wins_are_counted_at_every_table_between_different_agents() -> None:
    lineups = make_lineups(2, 3, 0, seed=0)
    scores = random_scores(lineups, 40)
    wins = np.zeros((2, 2))
    for deal in scores:
        for seating, points in zip(lineups.seatings, deal, strict=True):
            for s in range(3):
                for t in range(3):
                    if seating[s] != seating[t]:
                        wins[seating[s], seating[t]] += (points[s] > points[t]) + (points[s] == points[t]) / 2
    assert (tallied(lineups, scores).wins() == wins).all()


def test_an_agent_that_never_wins_has_a_rating() -> None:
    lineups = make_lineups(2, 3, 0, seed=0)
    tally = tallied(lineups, np.broadcast_to(5 * (lineups.seatings == 0), (60, *lineups.seatings.shape)))
    best, worst = tally.ratings()
    assert best.value == -worst.value > 400
    assert np.isfinite([best.low, best.high, worst.low, worst.high]).all()
