"""The native VecEnv: what DummyVecEnv gives, bit for bit, and masks that hold in any of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sb3_runs import drawn, masks_of

from buck_env import BuckError
from training.learning.sb3.vec_env import SeatVecEnv, make_vec_env


@pytest.mark.parametrize(
    "settings",
    [{"canonical": True}, {"episode": "match", "max_hands": 3}, {"rules": "cutthroat", "opponents": "random"}],
)
def test_the_native_vec_env_gives_what_dummy_vec_env_gives(settings: dict[str, Any]) -> None:
    envs = [
        make_vec_env(kind, 5, **{"opponents": "rules-v1", "illegal_action": "random", **settings})
        for kind in ("dummy", "native")
    ]
    for env in envs:
        env.seed(7)
    seen = [env.reset() for env in envs]
    rng = np.random.default_rng(0)
    ends = 0
    for _ in range(120):
        assert (seen[0] == seen[1]).all()
        masks = [masks_of(env) for env in envs]
        assert (masks[0] == masks[1]).all()
        assert masks[1].dtype == np.bool_
        actions = np.where(rng.random(5) < 0.05, 99, drawn(rng, masks[0]))
        theirs, ours = (env.step(actions) for env in envs)
        seen = [theirs[0], ours[0]]
        assert (theirs[1] == ours[1]).all()
        assert (theirs[2] == ours[2]).all()
        for expected, info in zip([*theirs[3], *envs[0].reset_infos], [*ours[3], *envs[1].reset_infos], strict=True):
            assert expected.keys() == info.keys()
            assert all(np.array_equal(expected[key], info[key]) for key in expected)
        ends += ours[2].sum()
    assert ends > 5


def test_a_cut_match_says_so_as_sb3_expects() -> None:
    env = make_vec_env("native", 4, episode="match", max_hands=1)
    env.seed(0)
    env.reset()
    rng = np.random.default_rng(0)
    cut = []
    while not cut:
        _, _, _, infos = env.step(drawn(rng, masks_of(env)))
        cut = [info for info in infos if info["TimeLimit.truncated"]]
    assert cut[0]["terminal_observation"].shape == env.observation_space.shape


def test_the_native_vec_env_names_the_methods_and_attributes_it_has() -> None:
    env = SeatVecEnv(3, rules="ohio", render_mode="ansi")
    env.seed(0)
    env.reset()
    assert env.has_attr("action_masks")
    assert not env.has_attr("wheels")
    assert (env.get_attr("action_masks")[2]() == masks_of(env)[2]).all()
    assert [rules.base for rules in env.get_attr("rules", indices=[0, 2])] == ["ohio", "ohio"]
    assert len(env.env_method("action_masks", indices=1)) == 1
    assert all("seat" in text for text in env.env_method("render"))
    with pytest.raises(AttributeError, match="allowed: action_masks"):
        env.env_method("wheels")
    with pytest.raises(AttributeError, match="cannot be set"):
        env.set_attr("rules", None)
    env.set_options({"hands": []})
    with pytest.raises(BuckError, match="options"):
        env.reset()
    env.close()
