"""Agents at many tables at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from entrants import AnyLegal
from events import AGENTS, Eager

from agents import Agent
from buck_env.base.errors import BuckError, IllegalActionError
from buck_env.environments.tables import Tables
from buck_env.game.rules import PROFILES
from buck_env.observation.views import Views
from training.measuring.arena import play_hands, play_matches
from training.measuring.duplicate import deal_seeds


class Answers:
    """Answers whatever it is made with."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def act(self, views: Views) -> Any:
        return self.answer(views)


@pytest.mark.parametrize("name", PROFILES)
def test_hands_are_those_of_tables_of_the_same_seeds(name: str) -> None:
    rules, seeds = PROFILES[name], deal_seeds(4, 50)
    points = play_hands(rules, {"any": AnyLegal()}, np.zeros((50, rules.seats), np.int64), seeds, chunk=16)
    tables = Tables(rules, 50)
    tables.reset(int(seeds[0]))
    expected = np.zeros((50, rules.seats))
    while not tables.episodes["over"].all():
        going = np.flatnonzero(tables.episodes["over"] == 0)
        actions = np.full(50, -1)
        actions[going] = AnyLegal().act(Views.of(rules, tables.tables[going], tables.logs[going]))
        tables.step(actions)
        expected += tables.rewards
    assert points.tolist() == expected.tolist()


def test_tables_of_one_seed_play_one_deal_with_one_dealer() -> None:
    rules = PROFILES["ohio"]
    seen = []

    def watch(views: Views) -> np.ndarray:
        seen.append((views.tables["dealer"].copy(), views.tables["rest"][:, 0].copy()))
        return Eager().act(views)

    play_hands(rules, {"watch": Answers(watch)}, np.zeros((6, 4), np.int64), np.repeat(deal_seeds(0, 2), 3))
    dealers, upcards = seen[0]
    assert dealers[:3].tolist() == [dealers[0]] * 3
    assert upcards[:3].tolist() == [upcards[0]] * 3
    assert (dealers[0], upcards[0]) != (dealers[3], upcards[3])


def test_shares_of_a_match_sum_to_one_even_where_it_is_cut_off() -> None:
    seating, seeds = np.tile([0, 1, 1, 1], (40, 1)), deal_seeds(0, 40)
    for max_hands, cut in ((2, range(20, 40)), (1000, range(1))):
        matches = play_matches(PROFILES["ohio"], {"x": Eager(), "y": AnyLegal()}, seating, seeds, max_hands=max_hands)
        assert np.allclose(matches.shares.sum(axis=1), 1)
        assert matches.truncated.sum() in cut
        assert (matches.hands[matches.truncated] == max_hands).all()
        assert (matches.hands >= 1).all()


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (lambda views: np.zeros((len(views), 2), np.int64), r"int64 of shape \(8, 2\)"),
        (lambda views: np.zeros(len(views)), "float64 of shape"),
        (lambda views: np.full(len(views), 43), "may not action 43"),
        (lambda views: np.full(len(views), -1), "may not action -1"),
        (lambda views: np.full(len(views), 39), r"may not stay \(action 39\) in order; legal: order, pass"),
    ],
)
def test_an_agent_that_answers_illegally_is_named(answer: Any, message: str) -> None:
    agents: dict[str, Agent] = {"good": Eager(), "rogue": Answers(answer)}
    with pytest.raises(IllegalActionError, match=f"rogue: .*{message}"):
        play_hands(PROFILES["bucked"], agents, np.ones((8, 4), np.int64), deal_seeds(0, 8))


def test_seating_that_does_not_fit_is_refused() -> None:
    with pytest.raises(BuckError, match=r"shape \(2, 4\) are needed"):
        play_hands(PROFILES["ohio"], AGENTS, np.zeros((2, 3), np.int64), deal_seeds(0, 2))
    with pytest.raises(BuckError, match=r"not within 0\.\.2"):
        play_hands(PROFILES["ohio"], AGENTS, np.full((2, 4), 3), deal_seeds(0, 2))
