"""The solver against trying everything, in every game and at every kind of table."""

from __future__ import annotations

import numpy as np
import pytest
from moments import HOUSES
from open_hands import legal_cards, played_out

from agents import load_agent
from agents.search.solver import Solver
from buck_env.environments.tables import Tables
from buck_env.game import engine
from buck_env.game.house import load_rules
from buck_env.game.options import Phase
from buck_env.game.rules import Rules
from buck_env.game.scoring import points
from buck_env.observation.views import Views


def in_play(rules: Rules, to_play: int, n: int, seed: int) -> np.ndarray:
    """Tables (K,) TABLE in the play with so many tricks to go, whole or begun: hands that chance and rules-v1 play."""
    tables = Tables(rules, n)
    tables.reset(seed)
    rng = np.random.default_rng(seed)
    agent = load_agent("rules-v1", rules)
    found = []
    while (live := np.flatnonzero(tables.episodes["over"] == 0)).size:
        now = tables.tables[live]
        found.append(now[(now["phase"] == Phase.PLAY) & (now["trick"] == 5 - to_play)])
        actions = (tables.masks * rng.random(tables.masks.shape)).argmax(axis=1)
        views = Views.of(rules, tables.tables[live], tables.logs[live])
        actions[live] = np.where(rng.random(live.size) < 0.5, agent.act(views), actions[live])
        tables.step(actions)
    return np.concatenate(found)


def points_after(table: np.ndarray, rules: Rules, card: int, against: int | None) -> int:
    later = table.copy()
    engine.apply(later[0], rules.packed()[0], card)
    return int(points(played_out(later, rules, against)[0], rules.packed()[0], int(table["seat"][0])))


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: load_rules(house).name)
def test_every_card_is_worth_what_trying_everything_finds(house: dict[str, object]) -> None:
    rules = load_rules(house)
    solver = Solver(rules)
    for to_play, n in ((1, 30), (2, 40), (3, 6)):
        tables = in_play(rules, to_play, 40, seed=to_play)[:: 3 if to_play < 3 else 1][:n]
        tricks, worth = solver.tricks(tables), solver.action_points(tables)
        for i in range(len(tables)):
            table = tables[i : i + 1]
            end = played_out(table.copy(), rules)
            assert tricks[i].tolist() == end["tricks"][0].tolist()
            for card in legal_cards(table, rules):
                assert worth[i, card] == points_after(table, rules, card, None)


@pytest.mark.parametrize("profile", ["ohio", "dirty-clubs", "bucked-3"])
def test_all_against_one_hold_its_points_down(profile: str) -> None:
    rules = load_rules(profile)
    solver = Solver(rules)
    tables = in_play(rules, 2, 40, seed=5)[::3][:40]
    for seat in range(rules.seats):
        tricks = solver.tricks(tables, against=seat)
        for i in range(len(tables)):
            assert tricks[i].tolist() == played_out(tables[i : i + 1].copy(), rules, seat)["tricks"][0].tolist()


@pytest.mark.parametrize("profile", ["ohio", "stick-the-dealer", "cutthroat"])
def test_a_whole_play_goes_as_it_was_foretold(profile: str) -> None:
    """Who plays on as the solver says, card by card, ends with the tricks that it named at the first card."""
    rules = load_rules(profile)
    solver = Solver(rules)
    tables = in_play(rules, 5, 20, seed=9)
    tables = tables[tables["played"] == 0]
    foretold = solver.tricks(tables)
    packed = rules.packed()[0]
    for i in range(len(tables)):
        table = tables[i : i + 1].copy()
        while table["phase"][0] != Phase.OVER:
            worth = solver.action_points(table)[0]
            cards = legal_cards(table, rules)
            best = [card for card in cards if worth[card] == max(worth[cards])]
            for card in best:  # the first in order: the one whose tricks are those of the whole
                later = table.copy()
                engine.apply(later[0], packed, card)
                done = later["phase"][0] == Phase.OVER
                if (later["tricks"] if done else solver.tricks(later))[0].tolist() == foretold[i].tolist():
                    break
            else:
                pytest.fail("no best card leads to the tricks that were foretold")
            table = later
        assert table["tricks"][0].tolist() == foretold[i].tolist()


def test_a_table_that_is_not_in_the_play_is_refused() -> None:
    tables = Tables("ohio", 1)
    tables.reset(0)
    with pytest.raises(ValueError, match="not in the play"):
        Solver(load_rules("ohio")).tricks(tables.tables)
