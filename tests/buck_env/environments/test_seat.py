"""One learning seat under Gymnasium, single and batched."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import FlattenObservation, NormalizeObservation
from houses import HOUSES
from players import First

from buck_env import (
    BuckError,
    Rules,
)
from buck_env.environments.seat import SeatEnv, SeatVectorEnv


def test_gymnasiums_own_check() -> None:
    for mode in (None, "ansi", "rgb_array"):
        env = gymnasium.make("BuckEuchre-v0", illegal_action="random", render_mode=mode)
        check_env(env.unwrapped)


@pytest.mark.parametrize("canonical", [False, True])
@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_the_batch_is_the_single_environment_of_seed_s_plus_i(rules: Rules, canonical: bool) -> None:
    settings: dict[str, Any] = {"rules": rules, "episode": "match", "max_hands": 3, "canonical": canonical}
    batch = SeatVectorEnv(3, autoreset_mode=AutoresetMode.SAME_STEP, **settings)
    singles = [SeatEnv(**settings) for _ in range(3)]
    seen, infos = batch.reset(seed=5)
    ones = [single.reset(seed=5 + i) for i, single in enumerate(singles)]
    rng = np.random.default_rng(0)
    for _ in range(40):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        for i, (observation, info) in enumerate(ones):
            assert (seen[i] == observation).all()
            assert infos["seat"][i] == info["seat"]
            assert (infos["action_mask"][i] == info["action_mask"]).all()
        seen, rewards, terminated, truncated, infos = batch.step(actions)
        for i, single in enumerate(singles):
            observation, reward, ended, cut, info = single.step(int(actions[i]))
            assert (reward, ended, cut) == (rewards[i], terminated[i], truncated[i])
            if ended or cut:
                assert (infos["final_obs"][i] == observation).all()
                ones[i] = single.reset()
            else:
                ones[i] = (observation, info)


def test_autoreset_modes_of_the_batch() -> None:
    def first_end(mode: AutoresetMode) -> tuple[SeatVectorEnv, int, Any]:
        env = SeatVectorEnv(3, autoreset_mode=mode)
        _, infos = env.reset(seed=0)
        for _ in range(100):
            result = env.step(infos["action_mask"].argmax(axis=1))
            infos = result[4]
            if result[2].any():
                return env, int(np.flatnonzero(result[2])[0]), result
        raise AssertionError

    env, i, (seen, _, _, _, infos) = first_end(AutoresetMode.SAME_STEP)
    assert infos["_final_obs"][i]
    assert (infos["final_obs"][i] != seen[i]).any()
    assert infos["action_mask"][i].any()
    env, i, (_, _, _, _, infos) = first_end(AutoresetMode.NEXT_STEP)
    assert infos["action_mask"][i].all()
    assert env.action_masks()[i].all()
    actions = infos["action_mask"].argmax(axis=1)
    actions[i] = 999
    _, rewards, terminated, _, infos = env.step(actions)
    assert not terminated[i]
    assert rewards[i] == 0
    assert infos["action_mask"][i].any()
    assert not infos["action_mask"][i].all()
    env, i, (_, _, _, _, infos) = first_end(AutoresetMode.DISABLED)
    assert not infos["action_mask"][i].any()
    with pytest.raises(BuckError, match="reset_mask"):
        env.step(infos["action_mask"].argmax(axis=1))
    _, infos = env.reset(options={"reset_mask": np.arange(3) == i})
    assert infos["action_mask"][i].any()


def test_gymnasiums_vector_wrappers_take_the_batch_as_it_is_made() -> None:
    for wrapper in (NormalizeObservation, FlattenObservation):
        env = wrapper(gymnasium.make_vec("BuckEuchre-v0", 4, obs_dtype="float32"))
        _, infos = env.reset(seed=0)
        for _ in range(10):
            seen, _, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        assert seen.shape == (4, 512)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_batch_truncates_after_so_many_decisions_of_the_learners(mode: AutoresetMode) -> None:
    env = gymnasium.make_vec("BuckEuchre-v0", 3, max_episode_steps=4, episode="match", autoreset_mode=mode)
    _, infos = env.reset(seed=0)
    waiting, decisions = np.zeros(3, np.bool_), np.zeros(3, int)
    for _ in range(20):
        _, _, terminated, truncated, infos = env.step(infos["action_mask"].argmax(axis=1))
        decisions[~waiting] += 1
        assert not terminated.any()
        assert (truncated == (decisions == 4) & ~waiting).all()
        waiting = truncated & (mode is not AutoresetMode.SAME_STEP)
        decisions[truncated] = 0
        if mode is AutoresetMode.DISABLED and truncated.any():
            assert not infos["action_mask"][truncated].any()
            infos = env.reset(options={"reset_mask": truncated})[1]
            waiting[:] = False
    with pytest.raises(BuckError, match="max_episode_steps: 0 is not a whole number of at least 1"):
        SeatVectorEnv(2, max_episode_steps=0)


def test_gymnasium_makes_both_by_name() -> None:
    env = gymnasium.make("BuckEuchre-v0", rules="cutthroat")
    env.reset(seed=0)
    assert env.unwrapped.action_masks().dtype == np.bool_
    vector = gymnasium.make_vec("BuckEuchre-v0", num_envs=4, rules="bucked-3")
    assert isinstance(vector, SeatVectorEnv)
    assert vector.observation_space.contains(vector.reset(seed=0)[0])
    sync = gymnasium.make_vec("BuckEuchre-v0", num_envs=2, vectorization_mode="sync")
    sync.reset(seed=0)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"seat": 4}, "seat"),
        ({"illegal_action": "ignore"}, "raise, random"),
        ({"reward": "win"}, "reward"),
        ({"rules": "x"}, "not known"),
    ],
)
def test_bad_arguments_are_told(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(BuckError, match=said):
        SeatEnv(**arguments)
    with pytest.raises(BuckError, match="options"):
        SeatEnv().reset(options={"x": 1})
    with pytest.raises(BuckError, match="reset first"):
        SeatEnv().step(24)
    with pytest.raises(BuckError, match="reset first"):
        SeatVectorEnv(2).step(np.zeros(2, int))


def test_it_pickles() -> None:
    env = SeatEnv(opponents=First())
    _, info = env.reset(seed=0)
    copy = pickle.loads(pickle.dumps(env))
    action = int(info["action_mask"].argmax())
    assert (env.step(action)[0] == copy.step(action)[0]).all()
