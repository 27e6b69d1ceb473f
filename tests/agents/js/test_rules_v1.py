"""`rules-v1` and `random` in JavaScript: the very actions of Python's."""

from __future__ import annotations

from pathlib import Path

import pytest
from houses import HOUSES
from javascript.node import needs_node, run_node
from javascript.random_hands import positions_of, random_views

from agents import load_agent
from agents.programs.position import action_texts
from buck_env import PROFILES, Rules

pytestmark = needs_node

DECIDE = """
const bots = [buck.rulesV1(), buck.random()];
answer(given.map((position) => bots.map((bot) => bot.decide(position).action)));
"""


def differing(folder: Path, rules: Rules, count: int, seed: int) -> int:
    """The views in which JavaScript chooses otherwise."""
    views = random_views(rules, count, seed)
    found = run_node(folder, DECIDE, positions_of(views))
    agents = [load_agent(name, rules) for name in ("rules-v1", "random")]
    wanted = zip(*(action_texts(agent.act(views), views) for agent in agents), strict=True)
    return sum(tuple(pair) != want for pair, want in zip(found, wanted, strict=True))


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_the_hand_written_player_and_the_random_one_choose_as_in_python(rules: Rules, tmp_path: Path) -> None:
    assert differing(tmp_path, rules, 300, seed=7) == 0


@pytest.mark.soak
@pytest.mark.parametrize("profile", PROFILES)
def test_in_10000_views_they_choose_as_in_python(profile: str, tmp_path: Path) -> None:
    for seed in range(5):
        assert differing(tmp_path, PROFILES[profile], 2000, seed=700 + seed) == 0
