"""N tables at once: each is the single environment, and every autoreset mode is what it says, step by step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from houses import HOUSES
from walks import played

from buck_env import (
    NUM_ACTIONS,
    OBSERVATION_SIZE,
    BuckError,
    Rules,
    buck_euchre_v0,
)
from buck_env.records import verify

N = 6


@pytest.mark.parametrize("canonical", [False, True])
@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_table_i_of_seed_s_is_the_single_environment_of_seed_s_plus_i(rules: Rules, canonical: bool) -> None:
    settings: dict[str, Any] = {"rules": rules, "episode": "match", "max_hands": 4, "canonical": canonical}
    vector = buck_euchre_v0.vector_env(N, **settings)
    vector.reset(seed=7)
    singles = [buck_euchre_v0.raw_env(**settings) for _ in range(N)]
    for i, single in enumerate(singles):
        single.reset(seed=7 + i)
    for _ in range(250):
        seen, reward, terminated, truncated, _infos = vector.last()
        assert seen is not None
        for i, single in enumerate(singles):
            one, one_reward, *_ = single.last()
            assert vector.possible_agents[vector.agent_selection[i]] == single.agent_selection
            assert (seen["observation"][i] == one["observation"]).all()
            assert (seen["action_mask"][i] == one["action_mask"]).all()
            if not (terminated[i] or truncated[i]):
                assert reward[i] == one_reward
        actions = vector.sample()
        vector.step(actions)
        final = iter(vector.last()[4].get("final_obs", ()))
        for i, single in enumerate(singles):
            single.step(int(actions[i]))
            assert vector.rewards[i].tolist() == list(single.rewards.values())
            assert vector.terminations[i] == single.terminations["seat_0"]
            assert vector.truncations[i] == single.truncations["seat_0"]
            if single.terminations["seat_0"] or single.truncations["seat_0"]:
                for seat, view in enumerate(next(final)):
                    assert (view == single.observe(f"seat_{seat}")["observation"]).all()
                single.reset()


def test_shapes_and_types() -> None:
    env = buck_euchre_v0.vector_env(5, rules="cutthroat")
    env.reset(seed=0)
    seen, reward, terminated, truncated, infos = env.last()
    assert seen is not None
    assert seen["observation"].shape == (5, OBSERVATION_SIZE)
    assert seen["action_mask"].shape == (5, NUM_ACTIONS)
    assert {array.dtype for array in seen.values()} == {np.dtype(np.int8)}
    assert env.observation_space.contains(seen)
    assert reward.shape == terminated.shape == truncated.shape == env.agent_selection.shape == (5,)
    assert env.rewards.shape == (5, 3)
    assert isinstance(infos, dict)
    assert env.last(observe=False)[0] is None
    assert isinstance(env.metadata["autoreset_mode"], AutoresetMode)
    for seat in range(3):
        views = env.observe(seat)
        assert views["observation"].shape == (5, OBSERVATION_SIZE)
        assert (views["action_mask"].any(axis=1) == (env.agent_selection == seat)).all()
        assert (views["observation"] == env.observe(f"seat_{seat}")["observation"]).all()


def play_to_an_end(env: Any) -> int:
    """Step until some episode ends; its table."""
    for _ in range(500):
        env.step(env.sample())
        ended = env.terminations | env.truncations
        if ended.any():
            return int(np.flatnonzero(ended)[0])
    raise AssertionError("no episode ended")


def test_same_step_deals_anew_and_keeps_the_end() -> None:
    env = buck_euchre_v0.vector_env(4, rules="ohio")
    env.reset(seed=0)
    before = env.record(0)["hands"]
    i = play_to_an_end(env)
    seen, reward, terminated, truncated, infos = env.last()
    assert seen is not None
    assert terminated[i]
    assert infos["_final_obs"].tolist() == (terminated | truncated).tolist()
    k = int(infos["_final_obs"][:i].sum())
    assert infos["final_obs"].shape == (infos["_final_obs"].sum(), 4, OBSERVATION_SIZE)
    assert not infos["final_obs"][k, :, :8].any(), "no phase is lit in a last view"
    assert (infos["final_rewards"][k] != 0).any() or infos["redeal"][i]
    assert reward[i] == infos["final_rewards"][k][env.agent_selection[i]]
    assert seen["action_mask"][i].any()
    assert env.record(i)["hands"] != before
    assert "result" in env.record(i, finished=True)
    env.step(env.sample())
    assert not env.terminations[i]
    assert env.last()[1][i] == 0
    assert not env.last()[4]["_final_obs"][i]


def test_next_step_shows_the_end_then_ignores_an_action_and_deals() -> None:
    env = buck_euchre_v0.vector_env(4, rules="ohio", autoreset_mode=AutoresetMode.NEXT_STEP)
    env.reset(seed=0)
    i = play_to_an_end(env)
    seen, *_ = env.last()
    assert seen is not None
    assert seen["action_mask"][i].all()
    hands = env.record(i)["hands"]
    actions = env.sample()
    actions[i] = 999
    env.step(actions)
    seen, reward, terminated, _truncated, _ = env.last()
    assert seen is not None
    assert not terminated[i]
    assert reward[i] == 0
    assert not env.rewards[i].any()
    assert 0 < seen["action_mask"][i].sum() < 43
    assert env.record(i)["hands"] != hands


def test_disabled_waits_for_a_reset_by_mask() -> None:
    env = buck_euchre_v0.vector_env(4, rules="ohio", autoreset_mode=AutoresetMode.DISABLED)
    env.reset(seed=0)
    i = play_to_an_end(env)
    hands = env.record(i)["hands"]
    seen, *_ = env.last()
    assert seen is not None
    assert not seen["action_mask"][i].any()
    assert env.sample()[i] == -1
    ended = env.rewards[i].copy()
    assert ended.any() or env.last()[4]["redeal"][i]
    for _ in range(3):
        env.step(env.sample())
        assert env.terminations[i]
        assert not env.rewards[i].any()
        assert env.record(i)["hands"] == hands
    others = [env.record(j) for j in range(4)]
    mask = np.arange(4) == i
    env.reset(options={"reset_mask": mask})
    assert not env.terminations[i]
    assert env.record(i)["hands"] != hands
    assert all(env.record(j) == others[j] for j in range(4) if j != i)
    for wrong in (np.zeros(4, bool), np.ones(3, bool), np.ones(4, int)):
        with pytest.raises(BuckError, match="reset_mask"):
            env.reset(options={"reset_mask": wrong})
    with pytest.raises(BuckError, match="known"):
        env.reset(options={"hands": []})


def test_the_whole_state_is_saved_and_restored() -> None:
    env = buck_euchre_v0.vector_env(4, rules="cutthroat", episode="match")
    env.reset(seed=0)
    for _ in range(40):
        env.step(env.sample())
    state = env.get_state()

    def go_on() -> list[bytes]:
        found = []
        for _ in range(100):
            env.step(env.sample())
            found.append(env.last()[0]["observation"].tobytes() + env.rewards.tobytes())
        return found

    first = go_on()
    env.set_state(state)
    assert go_on() == first
    other = buck_euchre_v0.vector_env(3, rules="cutthroat")
    with pytest.raises(BuckError, match="settings are not those"):
        other.set_state(state)


def test_without_copies_arrays_are_the_environments_own() -> None:
    env = buck_euchre_v0.vector_env(3, copy=False)
    env.reset(seed=0)
    kept = env.last()[0]["observation"]
    env.step(env.sample())
    assert np.shares_memory(kept, env.last()[0]["observation"])
    env = buck_euchre_v0.vector_env(3)
    env.reset(seed=0)
    kept, before = env.last()[0]["observation"], env.last()[0]["observation"].copy()
    env.step(env.sample())
    assert (kept == before).all()


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_hands_of_any_table_can_be_written_as_records(rules: Rules) -> None:
    env = buck_euchre_v0.vector_env(4, rules=rules)
    env.reset(seed=0)
    for _ in range(60):
        env.step(env.sample())
    assert verify(("here", env.record(i, finished=True)) for i in range(4)) == 4


def test_bad_arguments_are_named() -> None:
    for arguments, said in (
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 2.5}, "num_envs"),
        ({"autoreset_mode": "same_step"}, "Autoreset"),
    ):
        with pytest.raises(BuckError, match=said):
            buck_euchre_v0.vector_env(**arguments)  # type: ignore[arg-type]
    with pytest.raises(BuckError, match="reset first"):
        buck_euchre_v0.vector_env(2).step(np.zeros(2, int))


def test_doors_of_the_vector_name_what_is_wrong() -> None:
    env = played()
    for asked, said in (
        (lambda: env.record(99), "99 is no table"),
        (lambda: env.record(-1), "-1 is no table"),
        (lambda: env.render("0"), "'0' is no table"),
        (lambda: env.observe(np.array([0, 1])), "no seat"),
        (lambda: env.observe(1.0), "no seat"),
        (lambda: env.sample("x"), "masks"),
        (lambda: buck_euchre_v0.vector_env(10**19), "num_envs"),
        (lambda: buck_euchre_v0.vector_env(2, canonical="no"), "canonical"),
    ):
        with pytest.raises(BuckError, match=said):
            asked()
    masks = np.full((3, 43), 300)
    assert ((env.sample(masks) >= 0) & (env.sample(masks) < 43)).all()


def test_after_a_reset_by_hand_no_final_views_are_promised() -> None:
    env = played(steps=0)
    while not env.last()[4]["_final_obs"].any():
        env.step(env.sample())
    env.reset(options={"reset_mask": ~env.last()[4]["_final_obs"]})
    assert not env.last()[4]["_final_obs"].any()
    assert "final_obs" not in env.last()[4]
