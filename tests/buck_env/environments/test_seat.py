"""One learning seat under Gymnasium, single and batched."""

from __future__ import annotations

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from houses import HOUSES

from buck_env import BuckError, IllegalActionError, Rules
from buck_env.environments.seat import SeatEnv, SeatVectorEnv
from buck_env.observation.views import Views


class First:
    """Takes the first legal action."""

    def act(self, views: Views) -> np.ndarray:
        return views.action_mask.argmax(axis=1)


def test_gymnasiums_own_check() -> None:
    for mode in (None, "ansi", "rgb_array"):
        env = gymnasium.make("BuckEuchre-v0", illegal_action="random", render_mode=mode)
        check_env(env.unwrapped)


@pytest.mark.parametrize("canonical", [False, True])
@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_the_batch_is_the_single_environment_of_seed_s_plus_i(rules: Rules, canonical: bool) -> None:
    settings: dict[str, Any] = {"rules": rules, "episode": "match", "max_hands": 3, "canonical": canonical}
    batch = SeatVectorEnv(3, **settings)
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


def test_the_learner_gets_all_that_its_seat_scores() -> None:
    env = SeatEnv(rules="dirty-clubs", episode="match", opponents=First(), seat=2)
    for seed in range(20):
        _, info = env.reset(seed=seed)
        total, over = 0.0, False
        while not over:
            assert info["seat"] == 2
            _, reward, terminated, truncated, info = env.step(info["action_mask"].argmax())
            total += reward
            over = terminated or truncated
        assert total == 15 - env.record(finished=True)["result"]["scores"][2]


def test_a_seat_is_drawn_anew_each_episode_unless_it_is_fixed() -> None:
    env = SeatEnv()
    seats = [env.reset(seed=0)[1]["seat"]] + [env.reset()[1]["seat"] for _ in range(40)]
    assert set(seats) == {0, 1, 2, 3}
    assert seats == [env.reset(seed=0)[1]["seat"]] + [env.reset()[1]["seat"] for _ in range(40)]


def test_illegal_actions_raise_or_are_replaced_and_counted() -> None:
    env = SeatEnv(seat=0)
    _, info = env.reset(seed=1)
    wrong = int(np.flatnonzero(info["action_mask"] == 0)[0])
    for action in (wrong, 43, -1):
        with pytest.raises(IllegalActionError):
            env.step(action)
    env.step(int(info["action_mask"].argmax()))
    env = SeatEnv(seat=0, illegal_action="random", episode="match")
    _, info = env.reset(seed=1)
    for count, action in enumerate((wrong, 43, -1), 1):
        _, _, terminated, truncated, info = env.step(action)
        assert info["illegal_actions"] == count
        assert not terminated
        assert not truncated
    assert env.reset()[1]["illegal_actions"] == 0


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
    assert not infos["action_mask"][i].any()
    actions = infos["action_mask"].argmax(axis=1)
    actions[i] = 999
    _, rewards, terminated, _, infos = env.step(actions)
    assert not terminated[i]
    assert rewards[i] == 0
    assert infos["action_mask"][i].any()
    env, i, (_, _, _, _, infos) = first_end(AutoresetMode.DISABLED)
    with pytest.raises(BuckError, match="reset_mask"):
        env.step(infos["action_mask"].argmax(axis=1))
    _, infos = env.reset(options={"reset_mask": np.arange(3) == i})
    assert infos["action_mask"][i].any()


def test_gymnasium_makes_both_by_name() -> None:
    env = gymnasium.make("BuckEuchre-v0", rules="cutthroat")
    env.reset(seed=0)
    assert env.unwrapped.action_masks().dtype == np.bool_
    vector = gymnasium.make_vec("BuckEuchre-v0", num_envs=4, rules="bucked-3")
    assert isinstance(vector, SeatVectorEnv)
    assert vector.observation_space.contains(vector.reset(seed=0)[0])
    sync = gymnasium.make_vec("BuckEuchre-v0", num_envs=2, vectorization_mode="sync")
    sync.reset(seed=0)


def test_opponents_by_name_by_object_and_one_each() -> None:
    SeatEnv(opponents=["random", First(), None]).reset(seed=0)
    SeatEnv(opponents="random").reset(seed=0)
    for wrong, said in ((["random"], "3 seats"), ([1, 2, 3], "no method"), ("nobody", "nobody")):
        with pytest.raises(BuckError, match=said):
            SeatEnv(opponents=wrong)  # type: ignore[arg-type]


class Cheat:
    def act(self, views: Views) -> np.ndarray:
        return np.full(len(views), 40)


class Wrong:
    def act(self, views: Views) -> Any:
        return ["pass"] * len(views)


@pytest.mark.parametrize("opponent", [Cheat(), Wrong()])
def test_an_opponent_that_errs_is_told(opponent: Any) -> None:
    with pytest.raises(IllegalActionError):
        SeatEnv(opponents=opponent, seat=3).reset(seed=0)


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


def test_it_pickles() -> None:
    env = SeatEnv(opponents=First())
    _, info = env.reset(seed=0)
    copy = pickle.loads(pickle.dumps(env))
    action = int(info["action_mask"].argmax())
    assert (env.step(action)[0] == copy.step(action)[0]).all()
