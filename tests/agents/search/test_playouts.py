"""Hands played on: what each action brings is what stepping tables and asking the agent brings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bots import untrained
from moments import HOUSES, moments

from agents import Agent, load_agent
from agents.search.playouts import AgentPlayouts, CompiledPlayouts, Playouts, SolvedPlayouts, playouts_by
from agents.search.solver import Solver
from buck_env.game import engine
from buck_env.game.hidden import hide
from buck_env.game.house import load_rules
from buck_env.game.options import Phase
from buck_env.game.rules import Rules
from buck_env.observation.views import Views


def played_on(
    table: np.ndarray, rules: Rules, action: int, agent: Agent, until: int, others: Agent | None = None
) -> np.ndarray:
    """A table (1,) after an action, played on one decision at a time by an agent in the seat to act, and by others or
    by the same agent everywhere else."""
    table, own = table.copy(), int(table["seat"][0])
    engine.apply(table[0], rules.packed()[0], action)
    while table["phase"][0] < until:
        seat = table["seat"].astype(np.int64)
        views = Views(rules, hide(table, seat, rules), seat, np.full(1, 0.5))
        player = agent if others is None or seat[0] == own else others
        engine.apply(table[0], rules.packed()[0], int(player.act(views)[0]))
    return table


def some(rules: Rules, n: int) -> np.ndarray:
    found = np.concatenate([tables for tables, _, _ in moments(rules, load_agent("rules-v1", rules), n=8)[::2]])
    return found[:: max(1, len(found) // n)]


@pytest.mark.parametrize("house", HOUSES[:9], ids=lambda house: load_rules(house).name)
@pytest.mark.parametrize("kind", ["rules-v1", "network", "any"])
def test_each_action_brings_what_playing_on_brings(
    kind: str, house: dict[str, object], tmp_path_factory: pytest.TempPathFactory
) -> None:
    rules = load_rules(house)
    name = "rules-v1"
    if kind == "network":
        name = f"ppo:{untrained(tmp_path_factory.mktemp('bot') / 'bot', rules)}"
    agent = load_agent(name, rules)
    playouts: Playouts = AgentPlayouts(agent, rules) if kind == "any" else playouts_by(agent, rules)
    tables = some(rules, 12)
    points = playouts.action_points(tables)
    for i in range(len(tables)):
        table = tables[i : i + 1]
        seat = int(table["seat"][0])
        legal = int(engine.legal(table[0], rules.packed()[0]))
        for action in range(43):
            expected = 0
            if legal >> action & 1:
                end = played_on(table, rules, action, agent, Phase.OVER)
                expected = rules.toward * int(end["scores"][0, seat] - table["scores"][0, seat])
            assert points[i, action] == expected


@pytest.mark.parametrize("profile", ["ohio", "dirty-clubs", "bucked-3"])
def test_one_agent_plays_on_in_the_seat_and_another_in_all_others(profile: str, tmp_path: Path) -> None:
    rules = load_rules(profile)
    agent = load_agent(f"ppo:{untrained(tmp_path / 'bot', rules)}", rules)
    others = load_agent("rules-v1", rules)
    tables = some(rules, 30)
    points = CompiledPlayouts(agent, others, rules).action_points(tables)
    assert not np.array_equal(points, CompiledPlayouts(agent, agent, rules).action_points(tables))
    for i in range(len(tables)):
        table = tables[i : i + 1]
        seat = int(table["seat"][0])
        for action in np.flatnonzero(points[i]):
            end = played_on(table, rules, int(action), agent, Phase.OVER, others)
            assert points[i, action] == rules.toward * int(end["scores"][0, seat] - table["scores"][0, seat])


@pytest.mark.parametrize("profile", ["ohio", "dirty-clubs", "cutthroat"])
def test_before_the_play_rules_v1_decides_and_the_play_is_solved(profile: str) -> None:
    rules = load_rules(profile)
    agent, solver = load_agent("rules-v1", rules), Solver(rules)
    tables = some(rules, 40)
    points = SolvedPlayouts(rules).action_points(tables)
    seen = 0
    for i in range(len(tables)):
        table = tables[i : i + 1]
        seat = int(table["seat"][0])
        legal = int(engine.legal(table[0], rules.packed()[0]))
        if table["phase"][0] == Phase.PLAY:
            assert np.array_equal(points[i], solver.action_points(table)[0])
            continue
        for action in range(43):
            if legal >> action & 1:
                later = played_on(table, rules, action, agent, Phase.PLAY)
                if later["phase"][0] == Phase.PLAY:
                    seen += 1
                    while later["phase"][0] == Phase.PLAY:
                        mine = solver.action_points(later)[0]
                        cards = [c for c in range(24) if int(engine.legal(later[0], rules.packed()[0])) >> c & 1]
                        aim = solver.tricks(later)[0].tolist()
                        for card in sorted(cards, key=lambda c: -mine[c]):
                            after = later.copy()
                            engine.apply(after[0], rules.packed()[0], card)
                            over = after["phase"][0] == Phase.OVER
                            if (after["tricks"] if over else solver.tricks(after))[0].tolist() == aim:
                                later = after
                                break
                assert points[i, action] == rules.toward * int(later["scores"][0, seat] - table["scores"][0, seat])
    assert seen > 10
