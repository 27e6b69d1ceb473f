"""Logged hands played again."""

from __future__ import annotations

import numpy as np
import pytest

from buck_env import PROFILES
from buck_env.environments.replaying import replay
from buck_env.environments.tables import Tables
from buck_env.game.table import make_tables


def logged(profile: str, steps: int = 9) -> Tables:
    """Tables in the middle of matches."""
    tables = Tables(profile, 20, episode="match", autoreset="same_step")
    tables.reset(seed=2)
    generator = np.random.default_rng(3)
    for _ in range(steps):
        tables.step((tables.masks * generator.random(tables.masks.shape)).argmax(axis=1))
    return tables


@pytest.mark.parametrize("profile", PROFILES)
def test_a_hand_played_again_is_the_same_table(profile: str) -> None:
    tables = logged(profile, steps=60)
    again = make_tables(20)
    assert replay(tables.packed, tables.logs, again) == -1
    assert again.tobytes() == tables.tables.tobytes()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("pack", 3),
        ("pack", -1),
        ("pack", 24),
        ("dealer", 4),
        ("dealer", -1),
        ("steps", -1),
        ("steps", 72),
        ("actions", 60),
    ],
)
def test_the_first_log_that_no_play_leads_to_is_named(field: str, value: int) -> None:
    tables = logged("ohio")
    logs = tables.logs.copy()
    for row in (17, 11):
        logs[field][row] = value
    assert replay(tables.packed, logs, make_tables(20)) == 11


def test_a_log_of_no_hand_leaves_its_table_alone() -> None:
    tables = logged("ohio")
    logs, again = tables.logs.copy(), make_tables(20)
    logs["pack"][4] = 0
    again["scores"][4] = 77
    untouched = again[4].tobytes()
    assert replay(tables.packed, logs, again) == -1
    assert again[4].tobytes() == untouched
    assert again[5].tobytes() == tables.tables[5].tobytes()
