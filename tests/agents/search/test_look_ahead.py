"""Agents that look ahead: legal, repeatable, blind to what is hidden, and right where the truth is plain."""

from __future__ import annotations

import time

import numpy as np
import pytest
from moments import HOUSES, moments, resample

from agents import Agent, AgentError, load_agent
from agents.beliefs.deals import draw_deals
from agents.search.budget import Budget
from agents.search.look_ahead import LookAhead, Looked, look
from agents.search.playouts import SolvedPlayouts, playouts_by
from agents.search.solver import Solver
from buck_env.game.house import load_rules
from buck_env.game.options import Phase
from buck_env.game.rules import PROFILES, Rules
from buck_env.observation.agent import is_repeatable
from buck_env.observation.views import Views

NAMES = ["pimc:8", "ismcts:24", "search:rules-v1,8", "search:pretrained,8"]


def some(rules: Rules, n: int = 4, every: int = 4) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    return moments(rules, load_agent("rules-v1", rules), n=n)[::every]


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: load_rules(house).name)
@pytest.mark.parametrize("name", NAMES[:3])
def test_every_action_is_legal_in_every_house(name: str, house: dict[str, object]) -> None:
    rules = load_rules(house)
    agent = load_agent(name, rules)
    for tables, logs, masks in some(rules):
        assert masks[np.arange(len(tables)), agent.act(Views.of(rules, tables, logs))].all()


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", NAMES)
def test_neither_the_batch_nor_what_is_hidden_changes_an_action(name: str, profile: str) -> None:
    rules = load_rules(profile)
    agent = load_agent(name, rules)
    generator = np.random.default_rng(3)
    phases = set()
    for tables, logs, _ in some(rules, 6, 3):
        views = Views.of(rules, tables, logs)
        others = tables.copy()
        for i in range(len(tables)):
            others[i] = resample(tables[i], views.tables[i], generator)
        again = Views.of(rules, others, logs)
        alone = [int(agent.act(again.take(np.array([row])))[0]) for row in range(len(tables))]
        assert alone == agent.act(views).tolist()
        phases |= set(tables["phase"].tolist())
    assert len(phases) >= min(3, len(rules.phases))


def test_what_is_looked_at_is_each_deal_drawn_and_solved() -> None:
    rules = load_rules("cutthroat")
    solver = Solver(rules)
    for tables, logs, _ in some(rules, 6, 3):
        views = Views.of(rules, tables, logs)
        views = views.take(np.flatnonzero(tables["phase"] == Phase.PLAY))
        if len(views):
            looked, deals = look(views, 5, SolvedPlayouts(rules)), draw_deals(views, 5)
            expected = solver.action_points(deals.tables.reshape(-1)).reshape(looked.points.shape)
            assert np.array_equal(looked.points, expected)
            assert np.array_equal(looked.weights, deals.weights)


def test_a_search_keeps_to_its_bot_in_phases_that_it_does_not_search() -> None:
    rules = load_rules("ohio")
    bot, search = load_agent("rules-v1", rules), load_agent("search:rules-v1,8,stay", rules)
    differ = 0
    for tables, logs, _ in some(rules, 40, 1):
        views = Views.of(rules, tables, logs)
        apart = bot.act(views) != search.act(views)
        assert set(tables["phase"][apart].tolist()) <= {int(Phase.STAY)}
        differ += int(apart.sum())
    assert differ


def test_in_doubt_the_bot_decides() -> None:
    """Where the deals disagree about what is better, an agent that doubts without end does as its bot does."""
    rules = load_rules("ohio")
    bot = load_agent("rules-v1", rules)
    playouts = playouts_by(bot, rules)
    doubtful = LookAhead(rules, Budget(deals=8), playouts, model=bot, prior=bot, doubt=1e9)
    for tables, logs, _ in some(rules, 20, 2):
        views = Views.of(rules, tables, logs)
        for row in np.flatnonzero(doubtful.act(views) != bot.act(views)):
            view = views.take(np.array([row]))
            points = look(view, 8, playouts, bot).points[0]
            more = points[:, doubtful.act(view)[0]] - points[:, bot.act(view)[0]]
            assert (more == more[0]).all()
            assert more[0] > 0


@pytest.mark.parametrize("name", ["pimc:30ms", "ismcts:30ms", "search:rules-v1,30ms"])
def test_a_time_is_used_up_and_such_an_agent_says_that_it_cannot_be_repeated(name: str) -> None:
    rules = load_rules("ohio")
    agent: Agent = load_agent(name, rules)
    tables, logs, masks = next(part for part in some(rules, 20, 1) if (part[2].sum(axis=1) > 1).any())
    row = np.flatnonzero(masks.sum(axis=1) > 1)[:1]
    view = Views.of(rules, tables, logs).take(row)
    agent.act(view)  # compiles
    began = time.perf_counter()
    agent.act(view)
    assert time.perf_counter() - began >= 0.03
    assert not is_repeatable(agent)
    assert is_repeatable(load_agent(name.replace("30ms", "30"), rules))


def test_one_part_that_decides_by_a_clock_makes_the_whole_not_repeatable() -> None:
    parts = "phases:stay=pimc:30ms,else=rules-v1"
    assert not is_repeatable(load_agent(parts, "ohio"))
    assert not is_repeatable(load_agent(f"search:{parts},20", "ohio"))


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("search:nobody,20", "is not known"),
        ("search:rules-v1,20,dance", "'dance' is no phase of these rules; allowed: order"),
        ("search:rules-v1,none", "is no budget"),
        ("pimc:0", "is no budget"),
        ("ismcts:9999999999", "is no budget"),
    ],
)
def test_names_that_cannot_be_searched_are_refused_in_one_line(name: str, fault: str) -> None:
    with pytest.raises(AgentError, match=fault) as error:
        load_agent(name, "ohio")
    assert "\n" not in str(error.value)


def test_deals_worth_few_do_not_move_it_from_its_bot_and_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = load_rules("ohio")
    prior = load_agent("rules-v1", rules)
    tables, logs, masks = next(part for part in some(rules, 4, 1) if (part[2].sum(axis=1) > 1).any())
    views = Views.of(rules, tables, logs).take(np.flatnonzero(masks.sum(axis=1) > 1)[:1])
    own = int(prior.act(views)[0])
    other = next(int(action) for action in np.flatnonzero(views.action_mask[0]) if action != own)
    points = np.zeros((1, 100, views.action_mask.shape[1]), np.float32)
    points[0, :60, other] = 1  # the other is better by 0.6 of a point, which 100 deals show and 2 do not
    for worth, taken, poor in ((100.0, other, 0), (2.0, own, 1), (0.0, own, 1)):
        looked = Looked(points, np.full((1, 100), 0.01), np.array([worth]))
        monkeypatch.setattr("agents.search.look_ahead.look", lambda *_, found=looked: found)
        searcher = LookAhead(rules, Budget(deals=100), SolvedPlayouts(rules), model=prior, prior=prior, doubt=2.0)
        assert searcher.act(views).tolist() == [taken]
        assert searcher.counts == {"searched": 1, "poor": poor}
