"""Rollouts: whose reward is whose, and advantages worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from buck_env import PROFILES
from buck_env.environments.tables import Tables
from training.learning.rollout import Rollout


def script(turns: list[tuple[int, float, dict[int, float], bool]]) -> Rollout:
    """One table of two seats: each turn is (seat, value, rewards by seat on that step, whether the episode ended)."""
    rollout = Rollout(len(turns) + 3, 1, 2)
    for turn in turns:
        take(rollout, *turn)
    return rollout


def take(rollout: Rollout, seat: int, value: float, rewards: dict[int, float], ended: bool) -> None:
    rollout.add(np.array([0]), np.array([seat]), value=np.array([value], np.float32))
    rollout.add_rewards(np.array([[rewards.get(s, 0.0) for s in range(2)]], np.float32), np.array([ended]))


def test_gae_by_hand_with_two_seats_interleaved() -> None:
    rollout = script(
        [
            (0, 1.0, {}, False),
            (1, 2.0, {0: 3.0}, False),  # seat 0's, on seat 1's turn
            (0, 0.5, {1: -1.0}, False),
            (1, 1.5, {0: 4.0, 1: 2.0}, True),
        ]
    )
    assert rollout.finish(gamma=0.9, gae_lambda=0.8).tolist() == [0, 1, 2, 3]
    last_0 = 4.0 - 0.5
    last_1 = 2.0 - 1.5
    first_0 = 3.0 + 0.9 * 0.5 - 1.0 + 0.9 * 0.8 * last_0
    first_1 = -1.0 + 0.9 * 1.5 - 2.0 + 0.9 * 0.8 * last_1
    assert rollout["advantage"][:4].tolist() == pytest.approx([first_0, first_1, last_0, last_1])
    assert rollout["gathered"][:4].tolist() == [3.0, -1.0, 4.0, 2.0]


def test_an_episode_that_ends_on_anothers_turn_ends_for_every_seat() -> None:
    rollout = script(
        [(0, 1.0, {}, False), (1, 0.0, {0: -5.0, 1: 1.0}, True), (0, 7.0, {}, False), (0, 3.0, {0: 2.0}, True)]
    )
    assert rollout.finish(1.0, 1.0).tolist() == [0, 1, 2, 3]
    assert rollout["advantage"][:4].tolist() == pytest.approx([-6.0, 1.0, 2.0 - 7.0, 2.0 - 3.0])


def test_open_decisions_carry_over_with_what_they_have_gathered() -> None:
    rollout = script([(0, 1.0, {}, False), (1, 2.0, {0: 1.0}, False), (0, 3.0, {1: 5.0}, False)])
    assert rollout.finish(1.0, 1.0).tolist() == [0], "only seat 0's first decision has a next one"
    assert rollout["advantage"][0] == pytest.approx(1.0 + 3.0 - 1.0)
    following = Rollout(8, 1, 2)
    rollout.carry_over(following)
    assert following.length == 2
    assert following["value"][:2].tolist() == [2.0, 3.0]
    take(following, 1, 0.0, {0: 4.0, 1: 6.0}, True)
    assert following.finish(1.0, 1.0).tolist() == [0, 1, 2]
    assert following["advantage"][:3].tolist() == pytest.approx([5.0 + 0.0 - 2.0 + 6.0, 4.0 - 3.0, 6.0])


@pytest.mark.parametrize("rules", PROFILES)
def test_every_seat_is_credited_with_all_that_it_scores(rules: str) -> None:
    """Lesson D1: a seat's rewards, whoever's turn they fall on, reach its own decisions, over many rollouts."""
    tables = Tables(rules, 8, episode="match", max_hands=5, autoreset="same_step")
    tables.reset(0)
    seats, rng = tables.rules.seats, np.random.default_rng(0)
    rollout, following = Rollout(400, 8, seats), Rollout(400, 8, seats)
    who: list[tuple[int, int]] = []
    credited, earned = np.zeros((8, seats)), np.zeros((8, seats))
    for _ in range(6):
        for _ in range(40):
            acting = tables.seats.copy()
            who += zip(range(8), acting.tolist(), strict=True)
            rollout.add(np.arange(8), acting)
            tables.step(np.array([rng.choice(np.flatnonzero(row)) for row in tables.masks]))
            rollout.add_rewards(tables.rewards, tables.flags[:, 3])
            earned += tables.rewards
        for row in rollout.finish(1.0, 1.0):
            credited[who[row]] += rollout["gathered"][row]
        still_open = np.sort(rollout.last_row[rollout.last_row >= 0])
        rollout.carry_over(following)
        who = [who[row] for row in still_open]
        rollout, following = following, rollout
    for row, place in enumerate(who):
        credited[place] += rollout["gathered"][row]
    unheard = earned - credited  # scored before a seat's first decision of an episode: nobody's decision
    assert np.abs(unheard).sum() <= 0.02 * np.abs(earned).sum()
