"""A program as an agent: what it is sent, and what it is not."""

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest
from moments import HOUSES, moments, resample
from programs import OHIO, First, Program, played

from agents import AgentError, load_agent
from agents.programs.now import Now
from agents.programs.protocol import PROTOCOL, hello
from buck_env import load_rules
from buck_env.observation.views import Views


@pytest.mark.parametrize("mode", ["well", "stderr", "slow"])
def test_a_program_plays_as_it_answers(mode: str, program: Program) -> None:
    agent = program.agent(OHIO, mode)
    assert np.array_equal(played(agent), played(First()))
    assert agent.program_counts["decisions"] > 30
    assert set(agent.program_counts) == {"decisions"}
    assert len(program.running()) == 2  # it and its helper
    agent.close()
    assert program.is_gone()


def test_it_is_sent_the_rules_first_and_then_what_a_seat_knows(program: Program) -> None:
    rules = load_rules({"base": "bucked", "target": 15})
    agent = program.agent(rules, "well")
    played(agent, 2, rules)
    agent.close()
    first, *more = map(json.loads, program.lines)
    assert first == hello(rules)
    assert load_rules(first["rules"]) == rules
    assert first["protocol"] == PROTOCOL
    assert [line["id"] for line in more] == list(range(len(more)))
    for line in more:
        assert list(line) == ["id", "seat", "phase", "legal", "hands_played", "reneged", "uniform", "view"]
        assert sum(hand is not None for hand in line["view"]["hands"]) == 1
        assert len(line["view"]["hands"][line["seat"]]) == 5
        assert all(("legal" in step) == (step["seat"] == line["seat"]) for step in line["view"]["steps"])


def test_it_is_sent_the_table_in_plain_facts_where_it_asks_for_them(program: Program) -> None:
    agent = program.agent(OHIO, "now")
    assert np.array_equal(played(agent, 2), played(First(), 2))
    agent.close()
    for line in map(json.loads, program.lines[1:]):
        assert list(line)[-2:] == ["view", "now"]
        assert set(line["now"]) == set(Now.__annotations__)


def test_a_program_that_declines_the_rules_ends_the_game(program: Program) -> None:
    agent = program.agent(OHIO, "declines")
    with pytest.raises(AgentError, match=r"declines the rules ohio: three seats I know not; seat it where"):
        played(agent)
    assert agent.program_counts["replaced"] == 0
    assert program.is_gone()


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: load_rules(house).name)
def test_the_lines_are_the_same_whatever_is_hidden(house: dict[str, object], program: Program) -> None:
    rules = load_rules(house)
    generator = np.random.default_rng(4)
    found = moments(rules, load_agent("random", rules), n=3)[::2]
    sent, changed = [], 0
    for again in (False, True):
        agent = program.agent(rules, "now")
        for tables, logs, _ in found:
            seen = Views.of(rules, tables, logs).tables
            others = tables.copy()
            for i in range(len(tables)) if again else ():
                others[i] = resample(tables[i], seen[i], generator)
            changed += int((others["hand"] != tables["hand"]).sum())
            agent.act(Views.of(rules, others, logs))
        agent.close()
        sent.append(program.log.read_bytes())
        program.log.unlink()
    assert sent[0] == sent[1]
    assert sent[0].count(b"\n") > 20
    assert changed > 20


def test_a_batch_may_be_larger_than_what_is_sent_ahead(program: Program) -> None:
    agent = program.agent(OHIO, "well")
    tables, logs, _ = moments(OHIO, load_agent("random", OHIO), n=150)[0]
    views = Views.of(OHIO, tables, logs)
    assert np.array_equal(agent.act(views), First().act(views))
    assert np.array_equal(agent.act(views.take(np.arange(3))), First().act(views)[:3])
    assert len(agent.act(views.take(np.arange(0)))) == 0
    assert agent.program_counts == Counter(decisions=153)


@pytest.mark.parametrize(
    ("command", "error"),
    [
        ("", "allowed: cmd:COMMAND, as in cmd:node"),
        ("   ", "allowed: cmd:COMMAND, as in cmd:node"),
        ("node 'mybot.js", "No closing quotation"),
        ("no-such-program x", "there is no program 'no-such-program'"),
        ("./README.md", "there is no program './README.md'"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_when_it_is_loaded(command: str, error: str) -> None:
    with pytest.raises(AgentError, match=error):
        load_agent(f"cmd:{command}", OHIO)
