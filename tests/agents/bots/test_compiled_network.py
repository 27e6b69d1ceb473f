"""A bot's network in kernels: it says what the network in numpy says, of what the seat to act sees and no more."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bots import untrained
from walks import HOUSES, some

from agents.bots.compiled_network import drawn_action, greedy_action, make_scratch, pack_networks, rate_tables
from agents.bots.network import NetworkAgent, load_bot
from buck_env.base.compiled import kernel
from buck_env.game.engine import legal
from buck_env.game.hidden import hide
from buck_env.observation.agent import probabilities_of
from buck_env.observation.views import Views

SHAPES: list[dict[str, Any]] = [
    {"hidden": [33, 24, 9]},
    {"hidden": [16], "canonical": False},
    {"hidden": [12, 20], "objective": "win"},
]


def agents_of(folder: Path, house: str) -> list[NetworkAgent]:
    rules = HOUSES[house]
    return [load_bot(str(untrained(folder / str(k), rules, **shape)), rules) for k, shape in enumerate(SHAPES)]


def decisions(house: str) -> np.ndarray:
    """Tables (B,) of every phase of a house, with all cards shown."""
    tables = np.concatenate(some(house, 6))
    chosen: np.ndarray = tables[tables["seat"] >= 0]
    return chosen


def views_of(house: str, tables: np.ndarray) -> Views:
    seats = tables["seat"].astype(np.int64)
    uniforms = np.random.default_rng(5).random(len(tables))
    return Views(HOUSES[house], hide(tables, seats, HOUSES[house]), seats, uniforms)


@kernel
def choose(networks: Any, which: int, tables: Any, packed: Any, scratch: Any, uniforms: Any, out: Any) -> None:
    for i in range(len(tables)):
        options = legal(tables[i], packed[0])
        out[i, 0] = greedy_action(networks, which, tables[i], packed[0], options, scratch)
        out[i, 1] = drawn_action(networks, which, tables[i], packed[0], options, scratch, uniforms[i])


@pytest.mark.parametrize("house", HOUSES)
def test_networks_of_any_shape_say_what_they_say_in_numpy(house: str, tmp_path: Path) -> None:
    agents, tables = agents_of(tmp_path, house), decisions(house)
    networks, views = pack_networks(agents), views_of(house, tables)
    chosen = np.empty((len(tables), 2), np.int64)
    for which, agent in enumerate(agents):
        expected = probabilities_of(agent, views)
        found = rate_tables(networks, which, tables, HOUSES[house])
        assert (np.isneginf(found) == (views.action_mask == 0)).all()
        likely = expected > 1e-6
        assert found[likely] == pytest.approx(np.log(expected[likely]), abs=1e-4)
        choose(networks, which, tables, HOUSES[house].packed(), make_scratch(networks), views.uniforms, chosen)
        rows = np.arange(len(tables))
        assert expected[rows, chosen[:, 0]] == pytest.approx(expected.max(axis=1), abs=1e-4)
        drawn = NetworkAgent(agent.bot, agent.weights, sampled=True).act(views)
        assert (chosen[:, 1] == drawn).mean() > 0.99  # but for uniforms at the very edge


@pytest.mark.parametrize("house", ["ohio", "dirty-clubs", "cutthroat"])
def test_what_a_seat_does_not_know_changes_nothing(house: str, tmp_path: Path) -> None:
    networks, tables = pack_networks(agents_of(tmp_path, house)), decisions(house)
    found = rate_tables(networks, 0, tables, HOUSES[house])
    hidden = rate_tables(networks, 0, views_of(house, tables).tables, HOUSES[house])
    assert (found == hidden).all()
