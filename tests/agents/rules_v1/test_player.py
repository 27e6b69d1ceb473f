"""rules-v1 is good enough, frozen, and knows how its own hands end."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from agents import load_agent
from buck_env.environments.tables import Tables
from buck_env.game.house import load_rules
from buck_env.game.rules import PROFILES
from buck_env.observation.views import Views
from training.measuring.arena import play_hands
from training.measuring.compare import edge
from training.measuring.duplicate import deal_seeds

FLOORS = {"ohio": 1.9, "stick-the-dealer": 2.65, "dirty-clubs": 2.2, "bucked": 1.5, "bucked-3": 1.05, "cutthroat": 3.85}
"""What the lower end of the interval of edge(rules-v1, random) must reach."""


@pytest.mark.parametrize("profile", PROFILES)
def test_rules_v1_beats_random_by_its_floor(profile: str) -> None:
    rules = load_rules(profile)
    estimate = edge(rules, load_agent("rules-v1", rules), load_agent("random", rules), deals=2000, seed=20)
    assert estimate.low > FLOORS[profile]


@pytest.mark.parametrize("profile", PROFILES)
def test_rules_v1_keeps_its_points_among_its_like(profile: str) -> None:
    rules = load_rules(profile)
    agent = load_agent("rules-v1", rules)
    mean = play_hands(rules, {"it": agent}, np.zeros((2000, rules.seats), np.int64), deal_seeds(21, 2000)).mean()
    assert mean > (-1.5 if profile == "stick-the-dealer" else 0.0)


FROZEN = {
    "ohio": "ce593b40fad04d71",
    "stick-the-dealer": "0b7a5a10bfb84ec0",
    "dirty-clubs": "7cd3475414e7a3a9",
    "bucked": "24036c285980d8d6",
    "bucked-3": "f217e4cefd68f55a",
    "cutthroat": "60d57be304044c71",
}
"""A digest of what rules-v1 does in 200 matches of each profile."""


@pytest.mark.parametrize(("rules", "digest"), FROZEN.items())
def test_rules_v1_is_frozen(rules: str, digest: str) -> None:
    """A yardstick does not move: whoever improves it makes a rules-v2 in files of its own."""
    tables = Tables(rules, 200, episode="match", max_hands=8)
    tables.reset(7)
    agent = load_agent("rules-v1", tables.rules)
    taken = hashlib.sha256()
    while (tables.episodes["over"] == 0).any():
        actions = agent.act(Views.of(tables.rules, tables.tables, tables.logs))
        going = tables.episodes["over"] == 0
        taken.update(actions[going].astype(np.int8).tobytes())
        tables.step(actions)
    assert taken.hexdigest()[:16] == digest
