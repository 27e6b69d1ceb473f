"""One table under PettingZoo: what clients need beyond its own checks."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from houses import HOUSES
from walks import random_action

from buck_env import (
    LAYOUT,
    BuckError,
    IllegalActionError,
    Rules,
    action_id,
    buck_euchre_v0,
)
from buck_env.records import parse_record, verify


def test_state_is_full_information() -> None:
    env = buck_euchre_v0.raw_env(rules="stick-the-dealer")
    env.reset(seed=3)
    assert env.state_space.contains(env.state())
    hands = {env.state()[s * 512 : (s + 1) * 512][LAYOUT["hand"]].tobytes() for s in range(4)}
    assert len(hands) == 4
    assert sorted(env.state()[-24:])[-4:] == [1, 2, 3, 4]


def test_an_illegal_action_raises_and_changes_nothing() -> None:
    env = buck_euchre_v0.env(rules="ohio")
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
