"""Playing for a learner: who decides what at N tables, and the learner's decisions as a rollout."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from agents import Agent
from agents.rules_v1.player import Playouts, RulesV1
from buck_env.environments.tables import Tables
from buck_env.game.rules import Rules
from buck_env.game.table import PHASES
from buck_env.observation.views import Views, original_actions
from training.learning.checkpoint import as_type
from training.learning.figures import HandCounts
from training.learning.opponents import LEARNER, OpponentPool
from training.learning.rollout import Rollout
from training.learning.unseen_cards import UNSEEN_SIZE, write_unseen
from training.measuring.arena import ask

__all__ = ["Choice", "Collector"]


class Choice(NamedTuple):
    """What the learner does at B decisions."""

    action: np.ndarray
    log_prob: np.ndarray
    value: np.ndarray


Act = Callable[[np.ndarray, np.ndarray, np.ndarray], Choice]
"""The learner: of observations (B, D), masks (B, A) and hidden cards (B, H or 0)."""
Foretell = Callable[[np.ndarray, np.ndarray], np.ndarray]
"""The oracle critic: of observations (B, D) and hidden cards (B, H), what comes on top of playouts (B,)."""
Sample = Callable[[Mapping[str, np.ndarray], np.ndarray, np.ndarray], np.ndarray]
"""An earlier self: of its weights, observations (B, D) and masks (B, A), actions (B,)."""


class Collector:
    """N tables at which a learner decides some phases of its seats; `otherwise` decides its other phases, and the
    opponent pool the other seats. Its decisions alone are recorded."""

    def __init__(
        self,
        rules: Rules,
        tables: Tables,
        pool: OpponentPool,
        *,
        act: Act,
        sample: Sample,
        learn: Sequence[str],
        otherwise: Agent | None,
        opponents: Sequence[Agent],
        hidden: bool,
        playouts: bool = False,
        outcomes: bool = False,
        foretell: Foretell | None = None,
    ) -> None:
        self.rules = rules
        self.tables = tables
        self.pool = pool
        self.counts = HandCounts(rules, tables.num_tables)
        self._act = act
        self._sample = sample
        self._learned = np.array([phase in learn for phase in PHASES])
        self._otherwise = otherwise
        self._opponents = list(opponents)
        self._hidden = hidden
        self._reference = RulesV1(rules) if playouts else None
        self._outcomes = outcomes
        self._foretell = foretell
        self._until = learn if foretell else ()
        self._all = np.arange(tables.num_tables)
        self._never = np.zeros(tables.num_tables, np.bool_)
        pool.seat(~self._never)
        self._watch()

    def collect(self, rollout: Rollout, decisions: int) -> None:
        """Play until the rollout holds so many decisions, or up to N more."""
        self.counts.counts[:] = 0
        while rollout.length < decisions:
            self._step(rollout)

    def _step(self, rollout: Rollout) -> None:
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
        rollout.outcome(tables.rewards, ended)
        self._watch()
        if self.pool.size:
            self.pool.seat(ended, tables.final_rewards)

    def _decide(self, rollout: Rollout, rows: np.ndarray, phases: np.ndarray) -> np.ndarray:
        """The learner's actions at some tables, written down."""
        tables = self.tables
        seats = tables.seats[rows]
        seen = {"observation": tables.observations[rows], "mask": tables.masks[rows]}
        states, labels = tables.tables.take(rows), tables.labels[rows]
        seen["hidden"] = self._hidden_from(seats, states, labels) if self._hidden else np.empty((len(rows), 0), np.int8)
        choice = self._act(seen["observation"], seen["mask"], seen["hidden"])
        if self._reference:
            playouts = self._reference.play_out(states, every=self._outcomes, until=self._until)
            seen["playout"] = playouts.own
            if self._outcomes:
                seen["outcomes"] = self._outcomes_of(playouts, seen["mask"], labels)
            choice = choice._replace(value=choice.value + seen["playout"])
        rollout.add(rows, seats, **seen, phase=phases[rows], **choice._asdict())
        self.counts.decided[rows] = True
        return choice.action

    def _outcomes_of(self, playouts: Playouts, mask: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """What playouts say of the actions (B, A), as the learner sees them, corrected where it has a critic."""
        each = playouts.each
        if self._foretell and len(playouts.later):
            rows, actions = playouts.origin.T
            each[rows, actions] += self._foretell(*self._seen_by_critic(playouts.later))
        at, actions = np.nonzero(mask)
        outcomes = np.zeros_like(each)
        outcomes[at, actions] = each[at, original_actions(actions, labels[at])]
        return outcomes

    def _seen_by_critic(self, later: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Observations (K, D) and hidden cards (K, H) of the seats to act at tables (K,) TABLE."""
        seats = later["seat"].astype(np.int64)
        observation, labels = self.tables.observe(seats, later)
        return observation, self._hidden_from(seats, later, labels)

    def _hidden_from(self, seats: np.ndarray, tables: np.ndarray, labels: np.ndarray) -> np.ndarray:
        """What seats (B,) may not know of tables (B,) TABLE: (B, H) int8, suits going by labels (B,)."""
        hidden = np.empty((len(tables), UNSEEN_SIZE), np.int8)
        write_unseen(tables, self.rules.seats, seats, labels, hidden)
        return hidden

    def _ask_the_others(self, actions: np.ndarray, sitting: np.ndarray) -> None:
        """Write the actions at the tables where somebody but the learner decides; sitting (N,) is -1 elsewhere."""
        tables, names = self.tables, len(self._opponents)
        for who in np.unique(sitting[sitting >= 0]):
            rows = np.flatnonzero(sitting == who)
            if who > names:
                weights = self.pool.weights[who - 1 - names]
                actions[rows] = self._sample(weights, tables.observations[rows], tables.masks[rows])
                continue
            agent = self._otherwise if who == LEARNER else self._opponents[who - 1]
            assert agent is not None
            name = "otherwise" if who == LEARNER else self.pool.names[who - 1]
            views = Views.of(self.rules, tables.tables.take(rows), tables.logs.take(rows))
            actions[rows] = tables.relabel(ask(name, agent, views, tables.permitted[rows])[0], rows)

    def _watch(self) -> None:
        self.counts.watch(self.tables.logs["number"], self.tables.finals, self.pool.sitting == LEARNER)

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that `restore` takes."""
        arrays, facts = self.pool.save()
        arrays |= {f"tables.{name}": array for name, array in self.tables.save().items()}
        counted = {"numbers": self.counts.before, "decided": self.counts.decided, "counts": self.counts.counts}
        return arrays | counted, facts

    def restore(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` gave."""
        self.pool.restore(arrays, facts)
        saved = {name[7:]: array for name, array in arrays.items() if name.startswith("tables.")}
        ours = self.tables.save()
        self.tables.restore({name: as_type(array, ours[name].dtype) for name, array in saved.items()})
        self.counts.before[:] = arrays["numbers"]
        self.counts.decided[:] = arrays["decided"]
        self.counts.counts[:] = arrays["counts"]
