"""A program at fault may forfeit the hand instead."""

from __future__ import annotations

import numpy as np
import pytest
from programs import OHIO, Program, played

from agents import load_agent
from agents.programs.faults import FORFEIT
from buck_env import BuckError, load_rules
from buck_env.game.scoring import worst_points
from buck_env.observation.views import Views
from training.measuring.arena import play_hands, play_matches
from training.measuring.duplicate import deal_seeds, rotations


def test_who_forfeits_a_hand_pays_and_the_others_keep_what_they_score(program: Program) -> None:
    agent = program.agent(OHIO, "illegal", on_fault="forfeit")
    forfeited, random = played(agent, 12), played(load_agent("random", OHIO), 12)
    its = np.tile(np.eye(4, dtype=np.bool_), (12, 1))
    assert np.array_equal(forfeited[~its], random[~its])
    paid = forfeited[its] != random[its]
    assert (forfeited[its][paid] == -5).all()
    assert worst_points(OHIO) == -5
    assert 0.3 < paid.mean() < 1
    assert (forfeited[its] == -5).mean() > 0.8  # it was asked in nearly all hands


def test_a_forfeit_is_never_worth_it() -> None:
    for house, cost in (
        ({"base": "cutthroat"}, -5),
        ({"base": "ohio", "maker_penalty": 7}, -7),
        ({"base": "ohio", "stayer_penalty": 9, "drop_points": -2}, -9),
        ({"base": "ohio", "illegal_play": "renege", "renege_penalty": 12}, -12),
        ({"base": "ohio", "renege_penalty": 12}, -5),
        ({"base": "bucked", "walkover": "points", "walkover_points": -8}, -8),
    ):
        rules = load_rules(house)
        assert worst_points(rules) == cost
        everyone = np.zeros((300, rules.seats), np.int64)
        points = play_hands(rules, {"random": load_agent("random", rules)}, everyone, deal_seeds(1, 300))
        assert points.min() >= cost


def test_who_forfeits_in_a_match_has_not_won_it(program: Program) -> None:
    agents = {"it": program.agent(OHIO, "illegal", on_fault="forfeit"), "random": load_agent("random", OHIO)}
    matches = play_matches(OHIO, agents, rotations(0, 1, 4), np.arange(4))
    assert np.diagonal(matches.shares).tolist() == [0] * 4
    assert matches.shares.sum(axis=1).tolist() == [1] * 4
    among_its_like = play_matches(OHIO, agents, np.zeros((2, 4), np.int64), np.arange(2))
    plain = play_matches(OHIO, agents, np.ones((2, 4), np.int64), np.arange(2))
    assert np.array_equal(among_its_like.shares, plain.shares)


def test_no_other_agent_can_forfeit() -> None:
    class Shrug:
        def act(self, views: Views) -> np.ndarray:
            return np.full(len(views), FORFEIT)

    with pytest.raises(BuckError, match="may not action -1"):
        played(Shrug())
