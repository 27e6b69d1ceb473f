"""What a step pays, when an episode ends, and which decisions it takes by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from houses import HOUSES
from walks import random_action

from buck_env import (
    ACTIONS,
    LAYOUT,
    BuckError,
    Rules,
    action_id,
    buck_euchre_v0,
)


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_rewards_add_up_and_all_seats_end_together(rules: Rules) -> None:
    env = buck_euchre_v0.env(rules=rules, episode="match", max_hands=12, mask_in="both")
    rng = np.random.default_rng(0)
    for episode in range(6):
        env.reset(seed=episode)
        sums = dict.fromkeys(env.possible_agents, 0.0)
        heard = dict.fromkeys(env.possible_agents, 0.0)
        while env.agents:
            agent = env.agent_selection
            observation, reward, terminated, truncated, info = env.last()
            heard[agent] += reward
            assert (observation["action_mask"] == info["action_mask"]).all()
            if terminated or truncated:
                assert set(env.terminations.values()) == {terminated}
                assert set(env.truncations.values()) == {truncated}
                assert terminated != truncated
                env.step(None)
                continue
            for other in env.agents:
                seen = env.observe(other)
                assert env.observation_space(other).contains(seen)
                assert (seen["action_mask"].sum() > 0) == (other == agent)
            env.step(random_action(env, rng))
            for other in env.possible_agents:
                sums[other] += env.rewards[other]
        scores = env.unwrapped.record(finished=True)["result"]["scores"]
        for seat, name in enumerate(env.possible_agents):
            assert sums[name] == heard[name] == rules.toward * (scores[seat] - rules.start)


def test_win_reward_is_the_share_of_the_match_and_refused_for_hands() -> None:
    with pytest.raises(BuckError, match="reward"):
        buck_euchre_v0.env(reward="win")
    env = buck_euchre_v0.env(rules="stick-the-dealer", episode="match", reward="win", max_hands=500)
    rng = np.random.default_rng(0)
    shares = set()
    for episode in range(40):
        env.reset(seed=episode)
        while not any(env.terminations.values()) and not any(env.truncations.values()):
            assert set(env.rewards.values()) == {0.0}
            env.step(random_action(env, rng))
        winners = env.unwrapped.record(finished=True)["result"]["winners"]
        assert env.rewards == {a: (s in winners) / len(winners) for s, a in enumerate(env.possible_agents)}
        shares |= set(env.rewards.values())
    assert {0.0, 1.0} <= shares


def test_random_play_in_bucked_is_cut_short_and_its_scores_leave_int8() -> None:
    env = buck_euchre_v0.raw_env(rules="bucked", episode="match")
    env.reset(seed=0)
    rng = np.random.default_rng(0)
    while not any(env.truncations.values()) and not any(env.terminations.values()):
        env.step(random_action(env, rng))
    assert all(env.truncations.values())
    assert min(env.record(finished=True)["result"]["scores"]) < -200
    assert env.observe("seat_0")["observation"][LAYOUT["scores"]].max() == 127


def test_a_redeal_ends_the_hand_with_nothing() -> None:
    env = buck_euchre_v0.env(rules="dirty-clubs")
    env.reset(
        options={
            "hands": [
                ["9D", "TD", "JD", "QD", "KD"],
                ["9H", "TH", "JH", "QH", "KH"],
                ["9S", "TS", "JS", "QS", "KS"],
                ["9C", "TC", "JC", "QC", "KC"],
            ],
            "rest": ["AH", "AC", "AD", "AS"],
            "dealer": 1,
        }
    )
    assert env.agent_selection == "seat_2"
    for _ in range(4):
        assert not env.infos["seat_0"]["redeal"]
        env.step(action_id("pass"))
    assert set(env.rewards.values()) == {0.0}
    assert all(env.terminations.values())
    assert all(info["redeal"] for info in env.infos.values())


def test_a_renege_costs_its_seat_at_once() -> None:
    rules = {"base": "dirty-clubs", "illegal_play": "renege"}
    env = buck_euchre_v0.env(rules=rules)
    hands = [
        ["9C", "TC", "JC", "QC", "KC"],
        ["9D", "TD", "JD", "QD", "KD"],
        ["9H", "TH", "JH", "QH", "KH"],
        ["9S", "TS", "JS", "QS", "AD"],
    ]
    env.reset(options={"hands": hands, "rest": ["AH", "AC", "KS", "AS"], "dealer": 0})
    for text in ("bid:2", "pass", "pass", "pass", "name:S", "stay", "stay", "stay", "play:9D", "play:9H"):
        env.step(action_id(text))
    assert ACTIONS[int(np.flatnonzero(env.last()[0]["action_mask"])[0])] == "AD"
    env.step(action_id("9S"))
    assert env.rewards == {"seat_0": 0.0, "seat_1": 0.0, "seat_2": 0.0, "seat_3": -5.0}
    env.step(action_id("9C"))
    assert env.agent_selection == "seat_1"


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_skipping_forced_decisions_changes_no_result(rules: Rules) -> None:
    settings: dict[str, Any] = {"rules": rules, "episode": "hand", "autoreset_mode": AutoresetMode.DISABLED}
    slow, fast = buck_euchre_v0.vector_env(8, **settings), buck_euchre_v0.vector_env(8, skip_forced=True, **settings)
    slow.reset(seed=3)
    fast.reset(seed=3)
    taken = 0
    while not slow.terminations.all():
        masks = slow.last()[0]["action_mask"]
        actions = masks.argmax(axis=1)
        choice = (masks.sum(axis=1) > 1) & ~slow.terminations
        for i in np.flatnonzero(choice):
            assert (fast.last()[0]["action_mask"][i] == masks[i]).all()
        if choice.any():  # each table of the fast one moves when the slow one reaches the same choice
            fast._tables.step_some(np.where(choice, actions, -1), choice)
            taken += 1
        slow.step(actions)
    assert fast.terminations.all()
    assert all(fast.record(i, finished=True) == slow.record(i, finished=True) for i in range(8))
    assert taken
