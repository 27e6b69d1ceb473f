"""Per-seat trajectories from N tables: each decision, what its seat gathered until its next one, and the advantage.

A seat's reward and next decision are its own. Rewards that fall on other seats' turns go to the seat's last decision,
and a decision whose seat has not acted again by the end of a rollout is carried over into the next one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.options import PHASES
from buck_env.observation.layout import OBSERVATION_SIZE
from training.learning.augment import Suits

__all__ = ["NOBODY", "Column", "Rollout", "advantages", "record_rewards", "record_turns"]

NOBODY = -1
"""The row of a decision that there is not."""


class Column(NamedTuple):
    """One array of a rollout, with a row a decision."""

    name: str
    shape: tuple[int, ...] = ()
    """The shape of a row."""
    dtype: Any = np.float32
    suits: Suits | None = None
    """What of suits a row has; None: nothing."""
    below: int | None = None
    """The values of a row of whole numbers are at least 0 and below this."""
    stored: str = ""
    """The name in checkpoints, where it is not `name`."""
    carried: bool = True
    """Whether a row belongs to the decision whatever comes after it, so that an open decision takes it along."""
    saved: bool = True
    """Whether a checkpoint holds it; the advantage is computed again."""

    @property
    def key(self) -> str:
        """The name in checkpoints."""
        return self.stored or self.name


DECISION = (
    Column("observation", (OBSERVATION_SIZE,), np.int8, suits="observation"),
    Column("mask", (NUM_ACTIONS,), np.int8, suits="actions"),
    Column("phase", (), np.int8, below=len(PHASES)),
    Column("action", (), np.int64, suits="action", below=NUM_ACTIONS),
    Column("log_prob"),
    Column("value"),
    Column("gathered"),
    Column("following", (), np.int64, carried=False),
    Column("final", (), np.bool_, carried=False),
    Column("advantage", carried=False, saved=False),
)
"""The columns of every rollout. `gathered` is the reward until the seat's next decision, which is in row `following`;
`final` says that the episode ended before there was one."""


class Rollout:
    """Room for R decisions at N tables of S seats, in the order they were taken; `length` rows are in use.

    ``rollout["value"]`` is a column, (R, ...); there are those of `DECISION` and the `columns` given. `last_row` (N, S)
    is each seat's last decision of its episode.
    """

    def __init__(self, rows: int, tables: int, seats: int, columns: Sequence[Column] = ()) -> None:
        self.columns = (*DECISION, *columns)
        self._arrays = {column.name: np.zeros((rows, *column.shape), column.dtype) for column in self.columns}
        self._arrays["following"][:] = NOBODY
        self.last_row = np.full((tables, seats), NOBODY, np.int64)
        self.length = 0

    def __getitem__(self, name: str) -> np.ndarray:
        return self._arrays[name]

    def add(self, tables: np.ndarray, seats: np.ndarray, **decisions: np.ndarray) -> None:
        """One decision (B, ...) of each of B seats at tables, both shape (B,); a column not given stays as it was."""
        rows = slice(self.length, self.length + len(tables))
        for name, values in decisions.items():
            self[name][rows] = values
        record_turns(tables, seats, self.length, self.last_row, self["following"], self["final"], self["gathered"])
        self.length = rows.stop

    def add_rewards(self, rewards: np.ndarray, ended: np.ndarray) -> None:
        """What a step brought: rewards (N, S) by seat, and where the episode ended (N,)."""
        record_rewards(rewards, ended, self.last_row, self["gathered"], self["final"])

    def finish(self, gamma: float, gae_lambda: float) -> np.ndarray:
        """Compute the advantages; the rows whose return is known."""
        known = np.zeros(self.length, np.bool_)
        advantages(
            self["following"],
            self["final"],
            self["gathered"],
            self["value"],
            self["advantage"],
            known,
            gamma,
            gae_lambda,
        )
        return np.flatnonzero(known)

    def carry_over(self, into: Rollout) -> None:
        """Begin another rollout with the last, still open decision of each seat, oldest first."""
        tables, seats = np.nonzero(self.last_row != NOBODY)
        rows = self.last_row[tables, seats]
        order = np.argsort(rows)
        for column in self.columns:
            if column.carried:
                into[column.name][: len(rows)] = self[column.name][rows[order]]
        into.last_row[:] = NOBODY
        into.last_row[tables[order], seats[order]] = np.arange(len(rows))
        into["following"][: len(rows)] = NOBODY
        into["final"][: len(rows)] = False
        into.length = len(rows)

    def save(self) -> dict[str, np.ndarray]:
        """The arrays that `restore` takes, by their names in checkpoints."""
        kept = {column.key: self[column.name][: self.length] for column in self.columns if column.saved}
        return kept | {"last_row": self.last_row}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> None:
        """Go back to what `save` returned. ValueError where that is not a rollout of these columns and tables."""
        saved = [column for column in self.columns if column.saved]
        if set(arrays) != {"last_row", *(column.key for column in saved)}:
            raise ValueError("the rollout is not whole")
        last_row, following, length = arrays["last_row"], arrays["following"], len(arrays["action"])
        if last_row.shape != self.last_row.shape or any(len(arrays[column.key]) != length for column in saved):
            raise ValueError("the rollout is of several sizes")
        for column in saved:
            values = arrays[column.key]
            if column.below is not None and ((values < 0) | (values >= column.below)).any():
                raise ValueError(f"the rollout has no such {column.name}s")
        if any((rows < NOBODY).any() or (rows >= length).any() for rows in (last_row, following)):
            raise ValueError("the rollout has no such rows")
        self.length = length
        self.last_row[:] = last_row
        for column in saved:
            self[column.name][:length] = arrays[column.key]


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
def record_rewards(rewards: Any, ended: Any, last_row: Any, gathered: Any, final: Any) -> None:
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
    following: Any, final: Any, gathered: Any, value: Any, advantage: Any, known: Any, gamma: float, gae_lambda: float
) -> None:  # fmt: skip
    """Generalised advantage estimation along each seat's own decisions; sets whose return is known, (length,).

    The last decision of a seat whose episode goes on has no return yet: the one before it builds on its value.
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
