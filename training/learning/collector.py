"""Playing for a learner: who decides what at N tables, and the learner's decisions as a rollout."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from agents import Agent
from buck_env.environments.asking import ask, views_at
from buck_env.environments.tables import Tables
from buck_env.game.options import PHASES
from training.learning.figures import HandCounts
from training.learning.opponents import LEARNER, OpponentPool
from training.learning.player import Decisions
from training.learning.playouts import PlayoutTeacher
from training.learning.rollout import Column, Rollout
from training.learning.run.checkpoint import as_type
from training.learning.run.state import marked, part
from training.learning.unseen_cards import UNSEEN_SIZE, write_unseen
from training.measuring.counts import as_numbers

__all__ = ["Collector"]


class AnyPlayer(Protocol):
    """Whoever decides for the learner; `player.Player` says what the methods take and return."""

    def decide(self, observation: np.ndarray, mask: np.ndarray, unseen: np.ndarray) -> Decisions:
        """The learner's decisions."""

    def decide_as(self, weights: Mapping[str, np.ndarray], observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """The actions of an earlier self with these weights."""

    def critic_values(self, observation: np.ndarray, unseen: np.ndarray) -> np.ndarray:
        """The oracle critic's values."""


class Collector:
    """N tables at which a learner decides some phases of its seats; `otherwise` decides its other phases, and the
    opponent pool the other seats. Only the learner's decisions are recorded, in the `columns` that a rollout for them
    must have."""

    def __init__(
        self,
        tables: Tables,
        pool: OpponentPool,
        player: AnyPlayer,
        playouts: PlayoutTeacher,
        *,
        phases: Collection[str],
        otherwise: Agent | None,
        opponents: Sequence[Agent],
        oracle_critic: bool,
    ) -> None:
        self.rules = tables.rules
        self.tables = tables
        self.pool = pool
        self.counts = HandCounts(self.rules, tables.num_tables)
        self._unseen_size = UNSEEN_SIZE if oracle_critic else 0
        unseen = Column("unseen", (self._unseen_size,), np.int8, suits="unseen", stored="hidden")
        self.columns = (unseen, *playouts.columns)
        self._player = player
        self._playouts = playouts
        self._learned = np.array([phase in phases for phase in PHASES])
        self._otherwise = otherwise
        self._opponents = list(opponents)
        self._all = np.arange(tables.num_tables)
        pool.seat(np.ones(tables.num_tables, np.bool_))
        self._watch()

    def collect(self, rollout: Rollout, decisions: int) -> None:
        """Play until the rollout holds so many decisions, or up to N more."""
        self.counts.counts[:] = 0
        while rollout.length < decisions:
            self.step(rollout)

    def step(self, rollout: Rollout) -> None:
        """One decision at every table."""
        tables = self.tables
        phases = tables.tables["phase"]
        sitting = self.pool.sitting[self._all, tables.seats]
        mine = (sitting == LEARNER) & self._learned[phases]
        rows = np.flatnonzero(mine)
        actions = np.empty(tables.num_tables, np.int64)
        if len(rows):
            actions[rows] = self._decide(rollout, rows, phases)
        if len(rows) < len(actions):
            self._ask_the_others(actions, np.where(mine, -1, sitting))
        tables.step_checked(actions)
        ended = tables.flags[:, 3]
        rollout.add_rewards(tables.rewards, ended)
        self._watch()
        if self.pool.size:
            self.pool.seat(ended, tables.final_rewards)

    def _decide(self, rollout: Rollout, rows: np.ndarray, phases: np.ndarray) -> np.ndarray:
        """The learner's actions at some tables, written down."""
        tables = self.tables
        seats, labels = tables.seats[rows], tables.labels[rows]
        observation, mask, states = tables.observations[rows], tables.masks[rows], tables.tables.take(rows)
        unseen = self._unseen_by(seats, states, labels)
        decisions = self._player.decide(observation, mask, unseen)
        taught = self._playouts.columns_of(states, mask, labels, self._next_values)
        rollout.add(
            rows,
            seats,
            observation=observation,
            mask=mask,
            unseen=unseen,
            phase=phases[rows],
            action=decisions.action,
            log_prob=decisions.log_prob,
            value=self._playouts.add_baseline(decisions.value, taught),
            **taught,
        )
        self.counts.decided[rows] = True
        return decisions.action

    def _next_values(self, states: np.ndarray) -> np.ndarray:
        """The oracle critic's values (K,) for the seats to act at tables (K,) TABLE."""
        seats = states["seat"].astype(np.int64)
        observation, labels = self.tables.observe(seats, states)
        return self._player.critic_values(observation, self._unseen_by(seats, states, labels))

    def _unseen_by(self, seats: np.ndarray, states: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """The cards that seats (B,) do not see of tables (B,) TABLE: (B, H) int8, suits going by labels (B,); (B, 0)
        where there is no critic to see them."""
        unseen = np.empty((len(states), self._unseen_size), np.int8)
        if self._unseen_size:
            write_unseen(states, self.rules.seats, seats, labels, unseen)
        return unseen

    def _ask_the_others(self, actions: np.ndarray, sitting: np.ndarray) -> None:
        """Write the actions at the tables where somebody but the learner decides; sitting (N,) is -1 elsewhere."""
        tables, names = self.tables, len(self._opponents)
        for who in np.unique(sitting[sitting >= 0]):
            rows = np.flatnonzero(sitting == who)
            if who > names:
                weights = self.pool.weights[who - 1 - names]
                actions[rows] = self._player.decide_as(weights, tables.observations[rows], tables.masks[rows])
                continue
            agent = self._otherwise if who == LEARNER else self._opponents[who - 1]
            assert agent is not None
            name = "otherwise" if who == LEARNER else self.pool.names[who - 1]
            asked = ask(name, agent, views_at(tables, rows), tables.permitted[rows])
            actions[rows] = tables.relabel(asked, rows)

    def _watch(self) -> None:
        self.counts.watch(self.tables.logs["number"], self.tables.finals, self.pool.sitting == LEARNER)

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that `restore` takes."""
        arrays, facts = self.pool.save()
        counted = {
            "numbers": self.counts.before,
            "decided": self.counts.decided,
            "counts": as_numbers(self.counts.counts)[0],
        }
        return arrays | marked("tables", self.tables.save()) | counted, facts

    def restore(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned."""
        self.pool.restore(arrays, facts)
        ours = self.tables.save()
        self.tables.restore({name: as_type(saved, ours[name].dtype) for name, saved in part(arrays, "tables").items()})
        self.counts.before[:] = arrays["numbers"]
        self.counts.decided[:] = arrays["decided"]
        as_numbers(self.counts.counts)[0] = arrays["counts"]
