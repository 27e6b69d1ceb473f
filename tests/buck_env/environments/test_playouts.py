"""Bare random play, as the benchmark counts it."""

from __future__ import annotations

import numpy as np
import pytest

from buck_env import PROFILES
from buck_env.environments.playouts import play_out
from buck_env.game.options import Phase
from buck_env.game.table import LONGEST_HAND, NONE, make_tables


@pytest.mark.parametrize("profile", PROFILES)
def test_whole_hands_are_played_and_every_decision_is_counted(profile: str) -> None:
    tables, deals = make_tables(40), np.zeros(40, np.int64)
    made = play_out(PROFILES[profile].packed(), tables, np.arange(40, dtype=np.uint64), deals, 300)
    assert 40 * 300 <= made < 40 * (300 + LONGEST_HAND)
    assert (tables["phase"] == Phase.OVER).all()
    assert (deals >= 300 // LONGEST_HAND).all()
    played = tables["played"] > 0
    assert (tables["trump"][played] != NONE).all()
    assert (tables["tricks"][played].sum(axis=1) == 5).all()
