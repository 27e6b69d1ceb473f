"""Per-seat trajectories from N tables: each decision, what its seat gathered until its next one, and the advantage.

A seat's reward and next decision are its own. Rewards that fall on other seats' turns go to the seat's last decision,
and a decision whose seat has not acted again by the end of a rollout is carried over into the next one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.actions import NUM_ACTIONS
from buck_env.observation.layout import OBSERVATION_SIZE
from training.learning.unseen_cards import UNSEEN_SIZE

__all__ = ["NOBODY", "ROWS", "Rollout", "advantages", "record_outcome", "record_turns"]

NOBODY = -1

ROWS = ("observation", "mask", "hidden", "phase", "action", "log_prob", "value", "playout", "outcomes", "gathered")
"""The arrays that belong to a decision whatever comes after it."""


class Rollout:
    """Room for R decisions at N tables of S seats, in the order they were taken; `length` rows are in use.

    A row is one decision, arrays are (R, ...). `following` is the row of the same seat's next decision, `final` says
    that the episode ended before there was one; `last_row` (N, S) is each seat's last decision of its episode.
    """

    def __init__(self, rows: int, tables: int, seats: int, *, hidden: bool = False, outcomes: bool = False) -> None:
        self.observation = np.zeros((rows, OBSERVATION_SIZE), np.int8)
        self.mask = np.zeros((rows, NUM_ACTIONS), np.int8)
        self.hidden = np.zeros((rows, UNSEEN_SIZE if hidden else 0), np.int8)
        self.phase = np.zeros(rows, np.int8)
        self.action = np.zeros(rows, np.int64)
        self.log_prob = np.zeros(rows, np.float32)
        self.value = np.zeros(rows, np.float32)
        self.playout = np.zeros(rows, np.float32)
        self.outcomes = np.zeros((rows, NUM_ACTIONS if outcomes else 0), np.float32)
        self.gathered = np.zeros(rows, np.float32)
        self.advantage = np.zeros(rows, np.float32)
        self.following = np.full(rows, NOBODY, np.int64)
        self.final = np.zeros(rows, np.bool_)
        self.last_row = np.full((tables, seats), NOBODY, np.int64)
        self.length = 0

    def add(self, tables: np.ndarray, seats: np.ndarray, **decisions: np.ndarray) -> None:
        """One decision (B, ...) of each of B seats at tables, both shape (B,); what is not told stays as it was."""
        rows = slice(self.length, self.length + len(tables))
        for name, values in decisions.items():
            getattr(self, name)[rows] = values
        record_turns(tables, seats, self.length, self.last_row, self.following, self.final, self.gathered)
        self.length = rows.stop

    def outcome(self, rewards: np.ndarray, ended: np.ndarray) -> None:
        """What a step gave: rewards (N, S) by seat, and where the episode ended (N,)."""
        record_outcome(rewards, ended, self.last_row, self.gathered, self.final)

    def finish(self, gamma: float, gae_lambda: float) -> np.ndarray:
        """Compute the advantages; the rows whose outcome is known."""
        known = np.zeros(self.length, np.bool_)
        advantages(self.following, self.final, self.gathered, self.value, gamma, gae_lambda, self.advantage, known)
        return np.flatnonzero(known)

    def carry_over(self, into: Rollout) -> None:
        """Begin another rollout with the last, still open decision of each seat, oldest first."""
        tables, seats = np.nonzero(self.last_row != NOBODY)
        rows = self.last_row[tables, seats]
        order = np.argsort(rows)
        for name in ROWS:
            getattr(into, name)[: len(rows)] = getattr(self, name)[rows[order]]
        into.last_row[:] = NOBODY
        into.last_row[tables[order], seats[order]] = np.arange(len(rows))
        into.following[: len(rows)] = NOBODY
        into.final[: len(rows)] = False
        into.length = len(rows)


@kernel
def record_turns(
    tables: Any, seats: Any, first: int, last_row: Any, following: Any, final: Any, gathered: Any
) -> None:  # fmt: skip
    """Open a row, from `first` on, for the decision of seats[i] at tables[i], and link the seat's row before to it."""
    for i in range(len(tables)):
        row = first + i
        before = last_row[tables[i], seats[i]]
        if before != NOBODY:
            following[before] = row
        following[row] = NOBODY
        final[row] = False
        gathered[row] = 0.0
        last_row[tables[i], seats[i]] = row


@kernel
def record_outcome(rewards: Any, ended: Any, last_row: Any, gathered: Any, final: Any) -> None:
    """Give each seat's reward to its last decision; where the episode ended that decision is its last."""
    for n in range(len(rewards)):
        for seat in range(rewards.shape[1]):
            row = last_row[n, seat]
            if row != NOBODY:
                gathered[row] += rewards[n, seat]
                if ended[n]:
                    final[row] = True
                    last_row[n, seat] = NOBODY


@kernel
def advantages(
    following: Any, final: Any, gathered: Any, value: Any, gamma: float, gae_lambda: float, advantage: Any, known: Any
) -> None:  # fmt: skip
    """Generalised advantage estimation along each seat's own decisions; sets where the outcome is known, (length,).

    The last decision of a seat whose episode goes on has no outcome yet: the one before it builds on its value.
    """
    for row in range(len(known) - 1, -1, -1):
        after = following[row]
        if final[row]:
            advantage[row] = gathered[row] - value[row]
        elif after != NOBODY:
            delta = gathered[row] + gamma * value[after] - value[row]
            advantage[row] = delta + gamma * gae_lambda * advantage[after]
        else:
            advantage[row] = 0.0
        known[row] = final[row] or after != NOBODY
