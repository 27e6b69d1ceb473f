"""PettingZoo's own checks, and its wrappers and converters."""

from __future__ import annotations

import warnings
from typing import Any

import pettingzoo
import pytest
from pettingzoo.test import api_test, parallel_seed_test, performance_benchmark, render_test, seed_test
from pettingzoo.test.state_test import state_test
from pettingzoo.utils.conversions import turn_based_aec_to_parallel
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from buck_env import PROFILES, BuckError, action_id, buck_euchre_v0

# api_test knows dict observations by the names of its own games only, and finished seats have nothing legal
pettingzoo_warnings = [
    "ignore:Action mask numpy array is all zeros:UserWarning",
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
]


def filtered(function: Any) -> Any:
    for text in pettingzoo_warnings:
        function = pytest.mark.filterwarnings(text)(function)
    return function


@filtered
@pytest.mark.parametrize("episode", ["hand", "match"])
@pytest.mark.parametrize("rules", PROFILES)
def test_pettingzoo_api(rules: str, episode: Any) -> None:
    api_test(buck_euchre_v0.env(rules=rules, episode=episode, max_hands=30), num_cycles=200)


@pytest.mark.parametrize("rules", PROFILES)
def test_pettingzoo_seeds(rules: str) -> None:
    seed_test(lambda: buck_euchre_v0.env(rules=rules, episode="match", max_hands=30), num_cycles=200)


def test_pettingzoo_render_state_and_performance(capsys: pytest.CaptureFixture[str]) -> None:
    modes = {"ansi": lambda shown: isinstance(shown, str), "human": lambda shown: shown is None}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        render_test(lambda render_mode=None: buck_euchre_v0.env(render_mode=render_mode), custom_tests=modes)
    table, parallel = (buck_euchre_v0.env(rules="cutthroat") for _ in range(2))
    state_test(table, turn_based_aec_to_parallel(parallel), num_cycles=40)  # it samples unmasked


def test_pettingzoo_seeds_of_the_parallel_form() -> None:
    parallel_seed_test(lambda: turn_based_aec_to_parallel(buck_euchre_v0.env()))


@pytest.mark.soak
def test_pettingzoo_performance_benchmark() -> None:
    performance_benchmark(buck_euchre_v0.env(episode="match"))


def test_pettingzoos_own_illegal_wrapper_finds_the_mask() -> None:
    env = TerminateIllegalWrapper(buck_euchre_v0.raw_env(rules="ohio"), illegal_reward=-9)
    env.reset(seed=0)
    loser = env.agent_selection
    env.step(action_id("drop"))
    assert all(env.terminations.values())
    assert env.rewards[loser] == -9


def test_pettingzoo_makes_it_by_name_and_passes_max_cycles() -> None:
    env = pettingzoo.make("aec", "buck_euchre/BuckEuchre-v0", max_cycles=3, episode="match")
    env.reset(seed=0)
    assert env.unwrapped._tables.settings["max_hands"][0] == 3


def test_flat_observations_for_clients_without_dicts() -> None:
    env = buck_euchre_v0.flat_env(rules="ohio")
    env.reset(seed=0)
    seen = env.last()[0]
    assert seen.shape == (555,)
    assert env.observation_space("seat_0").contains(seen)
    assert (seen[512:] == env.unwrapped.observe(env.agent_selection)["action_mask"]).all()
    with pytest.raises(BuckError, match="mask_in: flat_env puts"):
        buck_euchre_v0.flat_env(mask_in="info")
