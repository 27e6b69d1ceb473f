"""Per-seat trajectories from N tables: each decision, what its seat gathered until its next one, and the advantage.

A seat's reward and next decision are its own. Rewards that fall on other seats' turns go to the seat's last decision,
and a decision whose seat has not acted again by the end of a rollout is carried over into the next one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from buck_env.actions import NUM_ACTIONS
from buck_env.compiled import kernel
from buck_env.layout import OBSERVATION_SIZE

__all__ = ["Rollout", "advantages", "record_outcome", "record_turn"]

NOBODY = -1


class Rollout:
    """Room for T decisions at each of N tables, and for those carried over, one a seat.

    A row is one decision; arrays are (R, N, ...) with R = T + S rows, of which `length` (N,) are in use.
    `following` is the row of the same seat's next decision, `final` says that the episode ended before there was one.
    """

    def __init__(self, tables: int, seats: int, steps: int) -> None:
        shape = (steps + seats, tables)
        self.steps = steps
        self.observation = np.zeros((*shape, OBSERVATION_SIZE), np.int8)
        self.mask = np.zeros((*shape, NUM_ACTIONS), np.int8)
        self.action = np.zeros(shape, np.int64)
        self.log_prob = np.zeros(shape, np.float32)
        self.value = np.zeros(shape, np.float32)
        self.gathered = np.zeros(shape, np.float32)
        self.advantage = np.zeros(shape, np.float32)
        self.following = np.full(shape, NOBODY, np.int64)
        self.final = np.zeros(shape, np.bool_)
        self.length = np.zeros(tables, np.int64)
        self.last_row = np.full((tables, seats), NOBODY, np.int64)

    def add(
        self, observation: np.ndarray, mask: np.ndarray, seats: np.ndarray,
        action: np.ndarray, log_prob: np.ndarray, value: np.ndarray,
    ) -> None:  # fmt: skip
        """One decision at every table: (N, D), (N, A), then (N,) each."""
        rows, tables = self.length, np.arange(len(seats))
        self.observation[rows, tables] = observation
        self.mask[rows, tables] = mask
        self.action[rows, tables] = action
        self.log_prob[rows, tables] = log_prob
        self.value[rows, tables] = value
        record_turn(seats, self.length, self.last_row, self.following, self.final, self.gathered)

    def outcome(self, rewards: np.ndarray, ended: np.ndarray) -> None:
        """What the step gave: rewards (N, S) by seat, and where the episode ended (N,)."""
        record_outcome(rewards, ended, self.last_row, self.gathered, self.final)

    def finish(self, gamma: float, gae_lambda: float) -> tuple[np.ndarray, np.ndarray]:
        """Compute the advantages; the (row, table) indices of all decisions whose outcome is known."""
        known = np.zeros(self.final.shape, np.bool_)
        advantages(
            self.length, self.following, self.final, self.gathered, self.value, gamma, gae_lambda, self.advantage, known
        )
        rows, tables = np.nonzero(known)
        return rows, tables

    def carry_over(self, into: Rollout) -> None:
        """Begin another rollout, or this one anew, with the last, still open decision of each seat."""
        for name in ("observation", "mask", "action", "log_prob", "value", "gathered"):
            _keep_open(self.last_row, getattr(self, name), getattr(into, name))
        into.last_row[:] = self.last_row
        _renumber(self.length, into.last_row, into.length, into.following, into.final)


def collect(
    rollout: Rollout,
    act: Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray, np.ndarray]],
    tables: Any,
    watch: Callable[[], None] = lambda: None,
) -> None:
    """T decisions at each of N `Tables`, chosen by `act` as (action, log_prob, value); `watch` sees each step."""
    for _ in range(rollout.steps):
        action, log_prob, value = act(tables.observations, tables.masks)
        rollout.add(tables.observations, tables.masks, tables.seats, action, log_prob, value)
        tables.step_checked(action)
        rollout.outcome(tables.rewards, tables.flags[:, 3])
        watch()


@kernel
def record_turn(seats: Any, length: Any, last_row: Any, following: Any, final: Any, gathered: Any) -> None:
    """Open a row for the decision of seats[n] at each table n, and link the seat's row before to it."""
    for n in range(len(seats)):
        row = length[n]
        before = last_row[n, seats[n]]
        if before != NOBODY:
            following[before, n] = row
        following[row, n] = NOBODY
        final[row, n] = False
        gathered[row, n] = 0.0
        last_row[n, seats[n]] = row
        length[n] = row + 1


@kernel
def record_outcome(rewards: Any, ended: Any, last_row: Any, gathered: Any, final: Any) -> None:
    """Give each seat's reward to its last decision; where the episode ended that decision is its last."""
    for n in range(len(rewards)):
        for seat in range(rewards.shape[1]):
            row = last_row[n, seat]
            if row != NOBODY:
                gathered[row, n] += rewards[n, seat]
                if ended[n]:
                    final[row, n] = True
                    last_row[n, seat] = NOBODY


@kernel
def advantages(
    length: Any, following: Any, final: Any, gathered: Any, value: Any, gamma: float, gae_lambda: float,
    advantage: Any, known: Any,
) -> None:  # fmt: skip
    """Generalised advantage estimation along each seat's own decisions; sets where the outcome is known.

    The last decision of a seat whose episode goes on has no outcome yet: the one before it builds on its value.
    """
    for n in range(len(length)):
        for row in range(length[n] - 1, -1, -1):
            after = following[row, n]
            if final[row, n]:
                advantage[row, n] = gathered[row, n] - value[row, n]
            elif after != NOBODY:
                delta = gathered[row, n] + gamma * value[after, n] - value[row, n]
                advantage[row, n] = delta + gamma * gae_lambda * advantage[after, n]
            else:
                advantage[row, n] = 0.0
            known[row, n] = final[row, n] or after != NOBODY


def _keep_open(last_row: np.ndarray, array: np.ndarray, into: np.ndarray) -> None:
    """Copy each table's open rows to the front, oldest first."""
    order = np.sort(np.where(last_row == NOBODY, np.iinfo(np.int64).max, last_row), axis=1)
    for place in range(last_row.shape[1]):
        tables = np.flatnonzero(order[:, place] < len(array))
        into[place, tables] = array[order[tables, place], tables]


@kernel
def _renumber(used: Any, last_row: Any, length: Any, following: Any, final: Any) -> None:
    for n in range(len(used)):
        count = 0
        for row in range(used[n]):
            for seat in range(last_row.shape[1]):
                if last_row[n, seat] == row:
                    last_row[n, seat] = count
                    following[count, n] = NOBODY
                    final[count, n] = False
                    count += 1
        length[n] = count
