"""A search on top of a network, among agents that it knows."""

from __future__ import annotations

from pathlib import Path

from bots import untrained

from agents import load_agent
from buck_env import load_rules
from training.learning.gradient.search_on_top import search_gain
from training.measuring.compare import gain


def test_a_search_finds_what_a_network_leaves_and_its_gain_is_that_of_both(tmp_path: Path) -> None:
    rules = load_rules("bucked-3")
    network = load_agent(f"ppo:{untrained(tmp_path / 'bot', rules)}", rules)
    others = load_agent("rules-v1", rules)
    known = gain(rules, network, others, deals=500, seed=1)
    found = search_gain(rules, network, others, known, number=16, deals=60, seed=1)
    assert found.lead.low > 0
    assert found.gain.mean == known.mean + found.lead.mean
    assert found.gain.half >= max(known.half, found.lead.half)
