"""One learning seat a table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from players import First

from buck_env import PROFILES, BuckError, IllegalActionError
from buck_env.environments.seat import SeatEnv
from buck_env.environments.solo import Solo


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


@pytest.mark.parametrize("action", [1.5, None, [24, 24], "pass", True, [[1], [2, 3]]])
def test_the_single_seat_takes_whole_numbers_only(action: Any) -> None:
    for illegal in ("raise", "random"):
        env = SeatEnv(illegal_action=illegal)  # type: ignore[arg-type]
        env.reset(seed=0)
        before = env.record()
        with pytest.raises(IllegalActionError):
            env.step(action)
        assert env.record() == before


def test_an_illegal_action_shows_no_more_than_the_learner_may_know() -> None:
    env = SeatEnv(seat=0, render_mode="ansi")
    env.reset(seed=1)
    with pytest.raises(IllegalActionError) as refused:
        env.step(42)
    assert str(refused.value).endswith(env.render())
    hands = env.record()["hands"]
    shown = str(refused.value).translate(str.maketrans("♣♦♥♠", "CDHS")).replace("10", "T")
    assert all(card in shown for card in hands[0])
    assert not any(card in shown for hand in hands[1:] for card in hand)


def test_a_state_goes_on_as_it_did_and_one_of_other_tables_is_refused() -> None:
    rules = PROFILES["bucked"]
    solo = Solo(3, rules, [("first", First())] * 3, None, "random")
    everywhere = np.ones(3, np.bool_)
    solo.reset(5, everywhere)
    solo.step(np.full(3, 42))  # nowhere legal: each is replaced and counted
    assert solo.illegal.tolist() == [1, 1, 1]
    state = solo.save()

    def go_on() -> list[bytes]:
        solo.step(solo.tables.masks.argmax(axis=1))
        return [array.tobytes() for array in solo.save().values()]

    first = go_on()
    solo.reset(9, everywhere)
    solo.restore(state)
    assert solo.illegal.tolist() == [1, 1, 1]
    assert go_on() == first
    old = {name: array for name, array in state.items() if name != "decisions"}  # as version 0.1.0 saved them
    solo.restore(old)
    assert solo.decisions.tolist() == [0, 0, 0]
    for wrong in ({**state, "own": state["own"][:2]}, {name: state[name] for name in state if name != "illegal"}):
        with pytest.raises(BuckError, match=r"state: (own|illegal) is not of shape \(3,\)"):
            solo.restore(wrong)
