"""Agents that need no file: what they choose is legal, the same in any batch, and blind to what is hidden."""

from __future__ import annotations

import numpy as np
import pytest
from moments import HOUSES, moments, resample

from agents import load_agent
from agents.naming.kinds import KINDS
from buck_env.environments.tables import Tables
from buck_env.game.house import load_rules
from buck_env.game.rules import PROFILES
from buck_env.game.table import Phase
from buck_env.observation.views import Views

WORDS = [kind.form for kind in KINDS if kind.load and ":" not in kind.form]
"""The names that are a word each: their agents need no file."""


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: load_rules(house).name)
@pytest.mark.parametrize("name", WORDS)
def test_every_action_is_legal_in_every_house(name: str, house: dict[str, object]) -> None:
    rules = load_rules(house)
    agent = load_agent(name, rules)
    phases = set()
    for tables, logs, masks in moments(rules, agent):
        actions = agent.act(Views.of(rules, tables, logs))
        assert actions.shape == (len(tables),)
        assert actions.dtype.kind == "i"
        assert masks[np.arange(len(tables)), actions].all()
        phases |= set(tables["phase"].tolist())
    assert int(Phase.PLAY) in phases
    assert len(phases) > 1


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", WORDS)
def test_actions_do_not_depend_on_the_batch_or_on_what_was_asked_before(name: str, profile: str) -> None:
    rules = load_rules(profile)
    agent = load_agent(name, rules)
    for tables, logs, _ in moments(rules, agent, n=60)[::3]:
        together = agent.act(Views.of(rules, tables, logs))
        order = np.random.default_rng(len(tables)).permutation(len(tables))
        apart = np.empty_like(together)
        fresh = load_agent(name, rules)
        for part in np.array_split(order, 7):
            if part.size:
                apart[part] = fresh.act(Views.of(rules, tables[part], logs[part]))
        assert np.array_equal(together, apart)


@pytest.mark.parametrize("house", [*HOUSES[:6], HOUSES[7], HOUSES[9]], ids=lambda house: load_rules(house).name)
def test_what_is_hidden_does_not_change_an_action(house: dict[str, object]) -> None:
    rules = load_rules(house)
    agent = load_agent("rules-v1", rules)
    generator = np.random.default_rng(3)
    changed = 0
    for tables, logs, _ in moments(rules, agent, n=12)[::2]:
        views = Views.of(rules, tables, logs)
        others = tables.copy()
        for i in range(len(tables)):
            others[i] = resample(tables[i], views.tables[i], generator)
        again = Views.of(rules, others, logs)
        assert again.tables.tobytes() == views.tables.tobytes()
        changed += int((others["hand"] != tables["hand"]).sum())
        assert np.array_equal(agent.act(views), agent.act(again))
    assert changed > 100


def test_random_draws_evenly() -> None:
    rules = load_rules("cutthroat")
    agent = load_agent("random", rules)
    tables = Tables({"base": "cutthroat", "exchange": "none"}, 20_000)
    tables.reset(5)
    actions = agent.act(Views.of(rules, tables.tables, tables.logs))
    counts = np.bincount(actions, minlength=43)[tables.masks[0] == 1]
    assert counts.sum() == 20_000
    assert counts.size == 9
    expected = 20_000 / counts.size
    assert ((counts - expected) ** 2 / expected).sum() < 26.1  # chi-square, 8 degrees of freedom, p = 0.001
