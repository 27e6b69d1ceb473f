"""Agents made of parts, each with phases of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bots import untrained

from agents import AgentError, load_agent, phases_of
from agents.naming.composite import Composite, composite_name
from buck_env import load_rules
from buck_env.environments.tables import Tables
from buck_env.game.options import PHASES
from buck_env.observation.views import Views


@pytest.fixture(scope="module")
def stayer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot that has learned only whether to stay."""
    return untrained(tmp_path_factory.mktemp("bots") / "stayer", load_rules("dirty-clubs"), phases=["stay"])


def test_a_name_of_parts_is_one_that_can_be_loaded() -> None:
    rules = load_rules("dirty-clubs")
    assert composite_name(rules.phases, "random", "rules-v1", rules) == "random"
    for otherwise, name in (
        ("rules-v1", "phases:stay=random,else=rules-v1"),
        ("phases:stay+bid=rules-v1,else=random", "phases:stay=random,bid=rules-v1,else=random"),
        ("phases:stay=rules-v1,bid+name+play=random", "phases:stay=random,bid+name+play=random"),
    ):
        assert composite_name(["stay"], "random", otherwise, rules) == name
        assert load_agent(name, rules)


def test_each_phase_is_decided_by_its_agent(stayer: Path) -> None:
    rules = load_rules("dirty-clubs")
    agent = load_agent(f"phases:stay=ppo:{stayer},bid=random,else=rules-v1", rules)
    assert isinstance(agent, Composite)
    assert phases_of(agent, rules) == rules.phases
    parts = {"stay": agent.parts["stay"], "bid": load_agent("random", rules)}
    tables = Tables(rules, 300)
    tables.reset(1)
    met = set()
    for _ in range(12):
        going = np.flatnonzero(tables.episodes["over"] == 0)
        views = Views.of(rules, tables.tables.take(going), tables.logs.take(going))
        actions = np.zeros(300, np.int64)
        actions[going] = agent.act(views)
        for phase in np.unique(views.tables["phase"]):
            rows = np.flatnonzero(views.tables["phase"] == phase)
            expected = parts.get(PHASES[phase], load_agent("rules-v1", rules)).act(views.take(rows))
            assert np.array_equal(actions[going[rows]], expected)
            met.add(PHASES[phase])
        tables.step(actions)
    assert {"bid", "name", "stay", "play"} <= met


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stay=rules-v1", "nobody decides order, call, discard, play"),
        ("stay=rules-v1,stay=random,else=random", "stay is given twice"),
        ("bid=rules-v1,else=random", "'bid' is no phase of these rules; allowed: order"),
        ("stay,else=random", "'stay' is not PHASE"),
        ("stay=,else=random", "'stay=' is not PHASE"),
        ("stay=nobody,else=random", "'nobody' is not known"),
    ],
)
def test_a_faulty_list_of_phases_is_refused(text: str, said: str) -> None:
    with pytest.raises(AgentError, match=said):
        load_agent(f"phases:{text}", load_rules("ohio"))


def test_a_part_may_not_decide_what_it_has_not_learned(stayer: Path) -> None:
    with pytest.raises(AgentError, match="has not learned bid"):
        load_agent(f"phases:bid=ppo:{stayer},else=random", load_rules("dirty-clubs"))
