"""N tables: seeds, copies, and steps at some of them; bad input changes nothing."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from buck_env import (
    BuckError,
    IllegalActionError,
    buck_euchre_v0,
)
from buck_env.environments.seat import SeatEnv, SeatVectorEnv
from buck_env.environments.tables import Tables


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_first_reset_is_of_all_tables(mode: AutoresetMode) -> None:
    env = buck_euchre_v0.vector_env(4, autoreset_mode=mode)
    with pytest.raises(BuckError, match="reset all of them first"):
        env.reset(seed=5, options={"reset_mask": np.array([True, False, False, False])})
    for asked in (lambda: env.observe(0), lambda: env.step(np.zeros(4, int))):
        with pytest.raises(BuckError, match="reset first"):
            asked()


@pytest.mark.parametrize("seed", [-1, 1.0, True, "x", 2**63])
def test_a_seed_is_a_whole_number_everywhere(seed: Any) -> None:
    for env in (buck_euchre_v0.env(), buck_euchre_v0.vector_env(2), SeatEnv(), SeatVectorEnv(2)):
        with pytest.raises(BuckError, match="seed"):
            env.reset(seed=seed)
    SeatEnv().reset(seed=np.int64(3))  # type: ignore[arg-type]
    with pytest.raises(BuckError, match="seed"):
        buck_euchre_v0.vector_env(2, seed=seed)


def test_an_illegal_action_at_one_table_changes_nothing_at_any() -> None:
    env = buck_euchre_v0.vector_env(4, rules="ohio")
    env.reset(seed=0)
    before = env.get_state()
    actions = env.sample()
    for wrong in (40, -1, 43, 2**40):
        actions[2] = wrong
        with pytest.raises(IllegalActionError, match="table 2: seat"):
            env.step(actions)
    for wrong in (actions[:3], actions.astype(float), "pass", actions[None]):
        with pytest.raises(IllegalActionError, match="shape"):
            env.step(wrong)
    after = env.get_state()
    assert all((before["tables"][name] == after["tables"][name]).all() for name in before["tables"])


def test_equal_seeds_deal_equal_cards_whichever_table_they_are_at() -> None:
    tables = Tables("ohio", 4)
    tables.reset_seeds(np.array([7, 8, 7, 9], np.uint64))
    packs = tables.logs["pack"].tolist()
    assert packs[0] == packs[2]
    assert len({str(pack) for pack in packs}) == 3
    tables.reset(seed=7)
    assert tables.logs["pack"][:3].tolist() == [packs[0], packs[1], packs[3]]


def test_tables_that_are_not_chosen_take_no_action_and_look_as_before() -> None:
    tables = Tables("bucked", 3)
    tables.reset(seed=1)
    before = tables.save()
    tables.step_some(tables.masks.argmax(axis=1), np.array([False, True, False]))
    assert tables.logs["steps"].tolist() == [0, 1, 0]
    for name in ("tables", "logs", "observations"):
        after = getattr(tables, name)
        assert [after[i].tobytes() == before[name][i].tobytes() for i in range(3)] == [True, False, True], name


def test_a_copy_is_a_table_of_its_own() -> None:
    tables = Tables("ohio", 2)
    tables.reset(seed=1)
    for other in (copy.deepcopy(tables), pickle.loads(pickle.dumps(tables))):
        seats = tables.seats.tolist()
        other.step(other.masks.argmax(axis=1))
        assert other.seats.tolist() == other.turns["seat"].tolist() != seats
        assert tables.seats.tolist() == seats
