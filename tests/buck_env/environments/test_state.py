"""States that an environment is put back to: what no play leads to is refused."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from walks import played

from buck_env import BuckError, buck_euchre_v0


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("logs", "pack", 77),
        ("logs", "pack", 3),
        ("logs", "steps", 72),
        ("logs", "actions", 60),
        ("logs", "dealer", 9),
        ("past", "pack", -5),
    ],
)
def test_a_state_that_no_play_leads_to_is_refused(name: str, field: str, value: int) -> None:
    env = played()
    state = env.get_state()
    hostile = copy.deepcopy(state)
    hostile["tables"][name][field] = value
    with pytest.raises(BuckError, match="no play leads to the hand"):
        env.set_state(hostile)
    assert all(np.array_equal(array, state["tables"][key]) for key, array in env.get_state()["tables"].items())


def test_what_a_state_says_of_a_table_is_played_again_not_believed() -> None:
    env = played()
    state = env.get_state()
    hostile = copy.deepcopy(state)
    for array in (hostile["tables"]["tables"], hostile["tables"]["finals"]):
        array["seat"], array["played"], array["phase"] = 100, 120, 7
    hostile["tables"]["permitted"][:] = -1
    env.set_state(hostile)
    assert all(np.array_equal(array, state["tables"][key]) for key, array in env.get_state()["tables"].items())


@pytest.mark.parametrize("state", [None, 5, {}, {"tables": 5, "final": {}, "sampler": (0, 0)}])
def test_what_is_no_state_is_refused(state: Any) -> None:
    with pytest.raises(BuckError, match="state"):
        played().set_state(state)


def test_a_state_that_an_older_version_saved_is_gone_on_with() -> None:
    env = played()
    state = copy.deepcopy(env.get_state())
    state["tables"]["rules"] = np.zeros((1, 44), np.uint8)  # the packed rules of version 0.1.0
    expected = env.last()[0]["observation"].copy()
    env.reset(seed=9)
    env.set_state(state)
    assert (env.last()[0]["observation"] == expected).all()


def test_a_state_of_another_game_is_refused() -> None:
    other = buck_euchre_v0.vector_env(2, rules="dirty-clubs", episode="match")
    with pytest.raises(BuckError, match="rules are not those"):
        other.set_state(played().get_state())
