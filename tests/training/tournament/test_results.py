"""Standings, pairs, leads, and what beats what."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from entrants import AnyLegal
from events import AGENTS, Eager, run

from buck_env.game.rules import PROFILES
from training.measuring.arena import play_matches
from training.measuring.compare import compare
from training.measuring.duplicate import deal_seeds, own, rotations
from training.measuring.estimates import Estimate, holm
from training.tournament.event import TournamentConfig, play_tournament
from training.tournament.report.table import results_table


@pytest.mark.parametrize("agent", [Eager(), AnyLegal()])
def test_copies_of_one_agent_have_edges_of_exactly_zero(agent: Any) -> None:
    results = run(agents={"eager": agent, "any": agent, "other": agent}, matches=0)
    for standing in results.standings:
        edge, gain, points = (standing.measures[key] for key in ("edge", "gain", "points"))
        assert edge is not None
        assert gain is not None
        assert points is not None
        assert (edge.mean, edge.half, gain.mean, gain.half) == (0, 0, 0, 0)
        assert points.half > 0
    assert not results.clear.any()
    assert "Played every deal to the same points" in results_table(results)


def test_an_agent_has_no_edge_or_gain_on_itself() -> None:
    results = run()
    for x in range(3):
        assert results.pair("edge", x, x) == results.pair("gain", x, x) == Estimate(0, 0, 0, 30)
    alone = compare(PROFILES["ohio"], AnyLegal(), AnyLegal(), deals=20)
    assert (alone.edge.mean, alone.gain.mean, alone.beats) == (0, 0, False)


def close(one: Estimate, other: Estimate) -> bool:
    return (one.mean, one.low, one.high, one.deals) == pytest.approx((other.mean, other.low, other.high, other.deals))


def test_every_pair_is_what_the_two_alone_would_be() -> None:
    results = run(matches=0)
    for x, y in ((0, 1), (2, 0)):
        pair = [AGENTS[results.labels[agent]] for agent in (x, y)]
        alone = compare(PROFILES["ohio"], *pair, deals=30, seed=5)
        assert close(results.pair("points", x, y), alone.points)
        assert close(results.pair("edge", x, y), alone.edge)
        assert close(results.pair("gain", x, y), alone.gain)
        assert results.beats(x, y) == alone.beats


def test_standings_are_means_over_the_opponents_deal_by_deal() -> None:
    results = run()
    ranking = results.ranking()
    assert [s.ranked_by.mean for s in ranking] == sorted((s.ranked_by.mean for s in ranking), reverse=True)
    standing = results.standings[1]
    assert standing.ranked_by.mean == pytest.approx(
        (results.pair("edge", 1, 0).mean + results.pair("edge", 1, 2).mean) / 2
    )
    share = standing.measures["win_share"]
    assert share is not None
    assert results.matches is not None
    assert share.mean == pytest.approx((results.matches.share(1, [0]).mean + results.matches.share(1, [2]).mean) / 2)
    best, second = (s.agent for s in ranking[:2])
    lead = results.leads[best, second][0]
    assert lead.mean == pytest.approx(ranking[0].ranked_by.mean - ranking[1].ranked_by.mean)
    assert lead == results.lead(best, second)
    assert len(results.leads) == 3


def test_win_shares_and_lengths_are_those_of_the_matches_played() -> None:
    results = run(matches=4)
    assert results.matches is not None
    for x, y in ((0, 1), (2, 1)):
        seating, seeds = np.tile(rotations(x, y, 4), (4, 1)), np.repeat(deal_seeds(5, 4, stream=1), 4)
        matches = play_matches(PROFILES["ohio"], AGENTS, seating, seeds)
        shares = own(matches.shares.reshape(4, 4, 4)).mean(axis=1)
        assert close(results.matches.share(x, [y]), Estimate.of(shares))
        length, cut = results.matches.length(x, y)
        assert (length, cut) == (matches.hands.mean(), matches.truncated.mean())


def test_a_win_is_clear_only_if_it_is_one_after_all_pairs_are_counted() -> None:
    results = run(deals=200, matches=0)
    assert all(results.beats(x, y) for x, y in np.argwhere(results.clear))
    pairs = [(x, y) for x in range(3) for y in range(3) if x != y]
    corrected = holm(np.array([results.pair("gain", x, y).p for x, y in pairs]))
    for (x, y), p in zip(pairs, corrected, strict=True):
        assert results.clear[x, y] == (p < 0.05 and results.pair("gain", x, y).mean > 0)
    assert results.clear.any()


@pytest.mark.parametrize("name", ["dirty-clubs", "bucked"])  # down to 0, and up to the target
def test_the_better_agent_is_rated_higher_whichever_way_scores_go(name: str) -> None:
    config = TournamentConfig(rules=name, agents=["random", "rules-v1"], deals=100)
    results = play_tournament(config, progress=False)
    random, rules = results.hands.ratings()
    assert rules.low > random.high
    assert [standing.agent for standing in results.ranking()] == [1, 0]
