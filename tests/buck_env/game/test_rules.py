"""Rules as one frozen value."""

from __future__ import annotations

import numpy as np
import pytest

from buck_env import PROFILES, Rules, load_rules
from buck_env.environments.tables import Tables
from buck_env.game.options import PHASES


def test_rules_are_frozen_and_round_trip() -> None:
    for rules in PROFILES.values():
        assert load_rules(rules.as_record()) == rules
        assert load_rules({**rules.as_dict()}) == rules
        assert rules.as_record() == rules.base == rules.name
        with pytest.raises(AttributeError):
            rules.start = 3  # type: ignore[misc]
    house = load_rules({"base": "bucked", "target": 15})
    assert house.as_record() == {"base": "bucked", "target": 15}
    assert load_rules(house.as_record()) == house


def test_a_base_that_is_no_profile_is_refused() -> None:
    with pytest.raises(ValueError, match="base"):
        Rules(base="euchre")


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
