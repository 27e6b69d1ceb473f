"""The phases of a game."""

from __future__ import annotations

import numpy as np

from buck_env import PROFILES
from buck_env.environments.tables import Tables
from buck_env.game.table import PHASES


def test_the_phases_of_a_game_are_those_its_rules_ask() -> None:
    assert PROFILES["ohio"].phases == ("order", "call", "discard", "stay", "play")
    assert PROFILES["stick-the-dealer"].phases == ("discard", "name", "play")
    assert PROFILES["cutthroat"].phases == ("exchange", "bid", "name", "stay", "play")
    for name, rules in PROFILES.items():
        tables = Tables(rules, 500, episode="match", max_hands=3)
        tables.reset(0)
        met = set()
        rng = np.random.default_rng(0)
        while (going := tables.episodes["over"] == 0).any():
            met |= {PHASES[phase] for phase in tables.tables["phase"][going]}
            noise = rng.random(tables.masks.shape)
            tables.step((noise * tables.masks).argmax(axis=1))
        assert met == set(rules.phases), name
