"""The example bots."""

from __future__ import annotations

import shlex
import shutil
import sys

import numpy as np
import pytest
from places import ROOT
from programs import played

from agents import AgentError, load_agent, tally_of
from buck_env import PROFILES, load_rules

EXAMPLES = ROOT / "agents" / "examples"


def test_the_python_example_plays_every_profile() -> None:
    source = EXAMPLES / "mybot.py"
    assert len(source.read_text().splitlines()) <= 30
    for profile in PROFILES:
        rules = load_rules(profile)
        agent = load_agent(f"cmd:{shlex.join([sys.executable, '-S', str(source)])}", rules)
        assert np.isfinite(played(agent, 3, rules)).all()
        assert set(tally_of(agent)) == {"decisions"}


def test_the_simple_example_plays_by_plain_facts_and_declines_an_exchange() -> None:
    command = f"cmd:{shlex.join([sys.executable, '-S', str(EXAMPLES / 'simple.py')])}"
    for profile in ("ohio", "bucked", "bucked-3", "dirty-clubs"):
        agent = load_agent(command, load_rules(profile))
        assert np.isfinite(played(agent, 3, load_rules(profile))).all()
        assert set(tally_of(agent)) == {"decisions"}
    with pytest.raises(AgentError, match="declines the rules cutthroat: I cannot exchange my hand"):
        played(load_agent(command, load_rules("cutthroat")), 1, load_rules("cutthroat"))


@pytest.mark.skipif(not shutil.which("node"), reason="the JavaScript example needs node, which is not installed")
def test_the_javascript_example_plays_as_the_python_one() -> None:
    source = EXAMPLES / "mybot.js"
    assert len(source.read_text().splitlines()) <= 30
    for profile in PROFILES:
        rules = load_rules(profile)
        python = load_agent(f"cmd:{shlex.join([sys.executable, '-S', str(EXAMPLES / 'mybot.py')])}", rules)
        javascript = load_agent(f"cmd:node {shlex.quote(str(source))}", rules)
        assert np.array_equal(played(javascript, 3, rules), played(python, 3, rules))
        assert set(tally_of(javascript)) == {"decisions"}
