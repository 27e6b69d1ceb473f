"""Bad input at the environments' public doors: one clear error, and nothing changed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from walks import played

from buck_env import BuckError, IllegalActionError, buck_euchre_v0
from buck_env.environments.seat import SeatEnv, SeatVectorEnv


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_first_reset_is_of_all_tables(mode: AutoresetMode) -> None:
    env = buck_euchre_v0.vector_env(4, autoreset_mode=mode)
    with pytest.raises(BuckError, match="reset all of them first"):
        env.reset(seed=5, options={"reset_mask": np.array([True, False, False, False])})
    for asked in (lambda: env.observe(0), lambda: env.step(np.zeros(4, int))):
        with pytest.raises(BuckError, match="reset first"):
            asked()


@pytest.mark.parametrize("options", [[1], "x", 5, {"reset_mask": [[1], [1, 2]]}, {"reset_mask": np.ones(2)}])
def test_options_that_are_none_are_named(options: Any) -> None:
    with pytest.raises(BuckError, match="options"):
        buck_euchre_v0.vector_env(2).reset(seed=0, options=options)
    with pytest.raises(BuckError, match="options"):
        buck_euchre_v0.env().reset(seed=0, options=options)


@pytest.mark.parametrize("action", [1.5, None, [24, 24], "pass", True, [[1], [2, 3]]])
def test_the_single_seat_takes_whole_numbers_only(action: Any) -> None:
    for illegal in ("raise", "random"):
        env = SeatEnv(illegal_action=illegal)  # type: ignore[arg-type]
        env.reset(seed=0)
        before = env.record()
        with pytest.raises(IllegalActionError):
            env.step(action)
        assert env.record() == before


@pytest.mark.parametrize("seed", [-1, 1.0, True, "x", 2**63])
def test_a_seed_is_a_whole_number_everywhere(seed: Any) -> None:
    for env in (buck_euchre_v0.env(), buck_euchre_v0.vector_env(2), SeatEnv(), SeatVectorEnv(2)):
        with pytest.raises(BuckError, match="seed"):
            env.reset(seed=seed)
    SeatEnv().reset(seed=np.int64(3))  # type: ignore[arg-type]
    with pytest.raises(BuckError, match="seed"):
        buck_euchre_v0.vector_env(2, seed=seed)


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
        (lambda: buck_euchre_v0.raw_env().observe("seat_9"), "seat_9"),
        (lambda: buck_euchre_v0.env().unwrapped.step(24), "reset first"),
        (lambda: SeatEnv(opponents=5), "opponents"),  # type: ignore[arg-type]
        (lambda: SeatEnv(opponents=SeatEnv), "opponents"),  # type: ignore[arg-type]
        (lambda: SeatVectorEnv(2).step(np.zeros(2, int)), "reset first"),
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
