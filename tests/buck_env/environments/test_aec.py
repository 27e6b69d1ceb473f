"""One table under PettingZoo: what clients need beyond its own checks."""

from __future__ import annotations

import pickle
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from houses import HOUSES
from walks import random_action

from buck_env import (
    LAYOUT,
    PROFILES,
    BuckError,
    IllegalActionError,
    Rules,
    action_id,
    buck_euchre_v0,
)
from buck_env.game.scoring import worst_points
from buck_env.records import parse_record, verify


def test_state_is_full_information() -> None:
    env = buck_euchre_v0.raw_env(rules="stick-the-dealer")
    env.reset(seed=3)
    assert env.state_space.contains(env.state())
    hands = {env.state()[s * 512 : (s + 1) * 512][LAYOUT["hand"]].tobytes() for s in range(4)}
    assert len(hands) == 4
    assert sorted(env.state()[-24:])[-4:] == [1, 2, 3, 4]


@pytest.mark.parametrize("make", [buck_euchre_v0.raw_env, partial(buck_euchre_v0.env, illegal_action="raise")])
def test_an_illegal_action_raises_and_changes_nothing(make: Any) -> None:
    env = make(rules="ohio")
    env.reset(seed=4)
    before = pickle.dumps(env.unwrapped._tables.save())
    agent = env.agent_selection
    for wrong in (action_id("drop"), 43, -1, 2**70, 1.5, "pass", None, True, np.array([24, 24]), np.nan):
        with pytest.raises(IllegalActionError):
            env.step(wrong)
        assert pickle.dumps(env.unwrapped._tables.save()) == before
        assert env.agent_selection == agent
    with pytest.raises(IllegalActionError, match=r"seat \d may not drop .*order.*legal: order, pass"):
        env.step(action_id("drop"))
    env.step(np.int8(action_id("pass")))
    assert env.agent_selection != agent


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_an_illegal_action_ends_the_episode_at_the_most_that_a_hand_can_cost(
    rules: Rules, capsys: pytest.CaptureFixture[str]
) -> None:
    env = buck_euchre_v0.env(rules=rules, episode="match")
    env.reset(seed=4)
    loser = env.agent_selection
    env.step(-1)
    assert env.rewards == {agent: (worst_points(rules) if agent == loser else 0.0) for agent in env.possible_agents}
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    heard = {}
    for agent in env.agent_iter():
        seen, heard[agent], *_ = env.last()
        assert not seen["action_mask"].any()
        env.step(None)
    assert heard == {agent: (worst_points(rules) if agent == loser else 0.0) for agent in env.possible_agents}
    env.reset(seed=4)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    assert not any(env.terminations.values())


def test_an_illegal_action_costs_five_in_every_profile_and_one_where_only_the_match_counts() -> None:
    for profile in PROFILES:
        env = buck_euchre_v0.env(rules=profile)
        env.reset(seed=0)
        loser = env.agent_selection
        env.step(43)
        assert env.rewards[loser] == -5
    env = buck_euchre_v0.env(episode="match", reward="win")
    env.reset(seed=0)
    loser = env.agent_selection
    env.step(43)
    assert env.rewards[loser] == -1


@pytest.mark.parametrize("canonical", [False, True])
def test_illegal_actions_are_replaced_and_counted_where_that_is_wanted(canonical: bool) -> None:
    env = buck_euchre_v0.env(illegal_action="random", canonical=canonical)
    env.reset(seed=0)
    wrong = dict.fromkeys(env.possible_agents, 0)
    while not any(env.terminations.values()):
        assert {agent: info["illegal_actions"] for agent, info in env.infos.items()} == wrong
        wrong[env.agent_selection] += 1
        env.step(int(env.last()[0]["action_mask"].argmin()))
    env.reset()
    assert not any(info["illegal_actions"] for info in env.infos.values())
    with pytest.raises(IllegalActionError, match="is not a whole number"):
        env.step("pass")


@pytest.mark.parametrize("kind", [torch.tensor, np.array, np.uint8, lambda action: torch.tensor([action])])
def test_whatever_is_a_whole_number_is_an_action(kind: Any) -> None:
    table, seat = buck_euchre_v0.raw_env(), gymnasium.make("BuckEuchre-v0").unwrapped
    for env in (table, seat):
        env.reset(seed=3)
    table.step(kind(int(table.last()[0]["action_mask"].argmax())))
    seat.step(kind(int(seat.action_masks().argmax())))


def test_the_mask_is_where_it_is_asked_for() -> None:
    dicts, arrays, both = (buck_euchre_v0.env(mask_in=place) for place in ("observation", "info", "both"))
    named = buck_euchre_v0.env(observation_key="observations", mask_dtype="float32", obs_dtype="float32")
    for env in (dicts, arrays, both, named):
        env.reset(seed=1)
    agent = dicts.agent_selection
    seen, mask = dicts.last()[0]["observation"], dicts.last()[0]["action_mask"]
    assert "action_mask" not in dicts.infos[agent]
    assert (arrays.last()[0] == seen).all()
    assert (both.last()[0]["action_mask"] == mask).all()
    for env in (arrays, both):
        assert (env.infos[agent]["action_mask"] == mask).all()
        assert not any(env.infos[other]["action_mask"].any() for other in env.agents if other != agent)
    assert named.last()[0].keys() == {"observations", "action_mask"}
    assert (named.last()[0]["action_mask"] == mask).all()
    for env in (dicts, arrays, both, named):
        assert env.observation_space(agent).contains(env.last()[0])
    for wrong in ({"mask_in": "infos"}, {"mask_dtype": "bool"}, {"observation_key": "action_mask"}):
        with pytest.raises(BuckError, match=f"{next(iter(wrong))}: .* is not allowed; allowed: "):
            buck_euchre_v0.env(**wrong)


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_any_hand_can_be_written_as_a_record(rules: Rules) -> None:
    env = buck_euchre_v0.env(rules=rules)
    rng = np.random.default_rng(0)
    for episode in range(5):
        env.reset(seed=episode)
        while not any(env.terminations.values()):
            env.step(random_action(env, rng))
        import json

        assert verify([("here", parse_record(json.dumps(env.unwrapped.record())))]) == 1


def test_canonical_observation_mask_and_action_go_together() -> None:
    plain, canonical = buck_euchre_v0.env(rules="ohio"), buck_euchre_v0.env(rules="ohio", canonical=True)
    rng = np.random.default_rng(0)
    differed = 0
    for episode in range(20):
        plain.reset(seed=episode)
        canonical.reset(seed=episode)
        while not any(plain.terminations.values()):
            labels = int(canonical.unwrapped._tables.labels[0])
            mask = plain.last()[0]["action_mask"]
            action = int(rng.choice(np.flatnonzero(mask)))
            from buck_env.observation.labels import relabelled_action

            relabelled = int(relabelled_action(action, labels))
            differed += relabelled != action
            assert canonical.last()[0]["action_mask"][relabelled]
            assert canonical.last()[0]["action_mask"].sum() == mask.sum()
            plain.step(action)
            canonical.step(relabelled)
            assert plain.rewards == canonical.rewards
    assert differed > 100


def test_it_pickles_in_the_middle_of_a_hand() -> None:
    env = buck_euchre_v0.env(rules="cutthroat", episode="match")
    env.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(9):
        env.step(random_action(env, rng))
    copy = pickle.loads(pickle.dumps(env))
    for _ in range(50):
        action = random_action(env, rng)
        env.step(action)
        copy.step(action)
        assert env.rewards == copy.rewards
        assert (env.unwrapped.state() == copy.unwrapped.state()).all()


def test_float_observations_are_the_same_numbers() -> None:
    a, b = buck_euchre_v0.env(), buck_euchre_v0.env(obs_dtype="float32")
    a.reset(seed=1)
    b.reset(seed=1)
    assert b.last()[0]["observation"].dtype == np.float32
    assert b.last()[0]["action_mask"].dtype == np.int8
    assert (a.last()[0]["observation"] == b.last()[0]["observation"]).all()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"rules": "euchre"}, "not known"),
        ({"episode": "game"}, "hand, match"),
        ({"reward": "money"}, "points, win"),
        ({"max_hands": 0}, "max_hands"),
        ({"max_hands": 2.5}, "max_hands"),
        ({"obs_dtype": "int64"}, "int8, float32"),
        ({"render_mode": "video"}, "ansi"),
        ({"viewer": 4}, "viewer"),
    ],
)
def test_bad_arguments_are_named(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(BuckError, match=said):
        buck_euchre_v0.env(**arguments)
    with pytest.raises(BuckError, match="seed"):
        buck_euchre_v0.env().reset(seed=-1)
    with pytest.raises(BuckError, match="seat_9"):
        buck_euchre_v0.raw_env().observe("seat_9")
    with pytest.raises(BuckError, match="reset first"):
        buck_euchre_v0.env().unwrapped.step(24)
