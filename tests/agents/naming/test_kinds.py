"""The table of kinds, which README shows, and what agents of every kind have in common: they choose what is legal."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from moments import HOUSES, moments
from places import ROOT

import agents
from agents import AgentError, load_agent
from agents.naming.kinds import KINDS, NICKNAME, Kind, markdown_table
from buck_env.environments.tables import Tables
from buck_env.game.house import load_rules
from buck_env.game.options import Phase
from buck_env.game.rules import PROFILES
from buck_env.observation.agent import SOFTENING, probabilities_of
from buck_env.observation.views import Views

WORDS = [kind.form for kind in KINDS if kind.load and ":" not in kind.form and kind.form != "pretrained"]
"""The names that are a word each and fit every house: their agents need no file."""


def test_the_table_of_the_readme_is_the_table_of_kinds() -> None:
    assert f"\n{markdown_table()}\n" in (ROOT / "agents" / "README.md").read_text()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.form)
def test_an_example_is_of_its_kind(kind: Kind) -> None:
    assert next(other for other in KINDS if other.fits(kind.example)) is kind


def test_only_programs_and_classes_run_code() -> None:
    assert [kind.form for kind in KINDS if kind.runs_code] == ["cmd:COMMAND", "module:Class"]


def test_an_error_gives_every_form() -> None:
    with pytest.raises(AgentError) as error:
        load_agent("nobody", "ohio")
    assert str(error.value).endswith(f"allowed: {', '.join(kind.form for kind in KINDS)}")


@pytest.mark.parametrize("name", ["a.yaml:b", "configs/x.yml:b", "a b.yaml:c,d"])
def test_a_yaml_file_is_no_module(name: str) -> None:
    assert next(kind for kind in KINDS if kind.fits(name)) is NICKNAME


@pytest.mark.parametrize("module", ["agents", "agents.naming.kinds"])
def test_the_table_is_read_without_the_libraries_that_agents_need(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    ).stdout.split()
    assert not {"numba", "numpy", "torch", "onnxruntime", "pydantic"} & set(loaded)


def test_every_public_name_of_the_package_is_there() -> None:
    for name in agents.__all__:
        assert getattr(agents, name).__name__ == name
    assert not hasattr(agents, "load")


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


@pytest.mark.parametrize("name", ["random", "rules-v1", "pretrained:ohio", "phases:stay=pretrained:ohio,else=rules-v1"])
def test_probabilities_are_of_legal_actions_and_sum_to_one(name: str) -> None:
    rules = load_rules("ohio")
    agent = load_agent(name, rules)
    for tables, logs, masks in moments(rules, agent, n=40)[::2]:
        views = Views.of(rules, tables, logs)
        likely = probabilities_of(agent, views)
        assert likely.shape == masks.shape
        assert likely.dtype == np.float64
        assert not likely[masks == 0].any()
        assert likely.sum(axis=1) == pytest.approx(1, abs=1e-5)
        if name != "random":
            assert np.array_equal(likely.argmax(axis=1), agent.act(views))


def test_probabilities_of_a_drawn_policy_are_the_shares_of_its_draws() -> None:
    rules = load_rules("ohio")
    agent = load_agent("pretrained:ohio@sampled", rules)
    tables = Tables(rules, 1)
    tables.reset(8)
    view = Views.of(rules, tables.tables, tables.logs)
    uniforms = (np.arange(4000) + 0.5) / 4000
    rows = np.zeros(4000, np.int64)
    drawn = agent.act(Views(rules, view.tables.take(rows), view.seats[rows], uniforms))
    shares = np.bincount(drawn, minlength=43) / 4000
    assert shares == pytest.approx(probabilities_of(agent, view)[0], abs=1e-3)


def test_an_agent_without_probabilities_takes_its_choice_but_for_a_share_spread_evenly() -> None:
    rules = load_rules("ohio")
    tables = Tables(rules, 1)
    tables.reset(8)
    view = Views.of(rules, tables.tables, tables.logs)
    agent = load_agent("rules-v1", rules)
    expected = np.where(view.action_mask[0] == 1, SOFTENING / view.action_mask.sum(), 0.0)
    expected[agent.act(view)[0]] += 1 - SOFTENING
    assert probabilities_of(agent, view)[0] == pytest.approx(expected)
