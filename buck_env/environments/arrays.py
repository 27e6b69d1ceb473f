"""The arrays of N tables, every one allocated once and written in place; and how they are saved and restored."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.lib.recfunctions import structured_to_unstructured

from buck_env.base.errors import BuckError
from buck_env.environments.replaying import replay
from buck_env.environments.state import EPISODE, FLAGS, TURN
from buck_env.environments.stepping import show
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.rules import Rules
from buck_env.game.table import LOG, NONE, make_tables
from buck_env.observation.layout import OBSERVATION_SIZE

__all__ = ["TableArrays"]

_PACKED_RULES = 44
"""Bytes of the rules in a state of version 0.1.0, packed as kernels read them then. All that is known of such rules is
that the logs can be played again."""

_SAVED = (
    "tables", "logs", "past", "episodes", "permitted", "labels", "observations", "masks", "seats",
    "rewards", "cumulative", "reward", "flags", "finals", "final_rewards",
)  # fmt: skip


class TableArrays:
    """The arrays of N tables of one game.

    With N tables, S seats, D observation, A actions:
        tables (N,) TABLE, logs (N,) LOG, episodes (N,) EPISODE: the hands in progress, what was done in them, and where
        each table is in its stream of deals; past (N,) LOG, finals (N,) TABLE: the last hand that ended, as it ended;
        observations (N, D) int8, masks (N, A) int8: the view and the legal actions of the seat to act;
        turns (N,) TURN: what the last step left, of which the following are fields, each a view into it:
        seats (N,) int64: the seat to act, 0 where an episode is over;
        permitted (N,) int64: what it may do, suits as they are, a bit an action; labels (N,) int64: its suit labels;
        rewards (N, S) float32: of the last step, by seat;
        cumulative (N, S) float32: since each seat's last decision;
        reward (N,) float32: of the last step's end, what the seat to act has gathered;
        flags (N, 4) bool: terminated, truncated, hand ended in a redeal, episode ended in the last step;
        final_rewards (N, S) float32: what each seat gathered in the last episode that ended.
    """

    def __init__(self, rules: Rules, settings: np.ndarray, num_tables: int) -> None:
        self.rules = rules
        self.packed = rules.packed()
        self.settings = settings
        """The options of the environment, (1,) SETTINGS."""
        self.num_tables = n = num_tables
        self.tables = make_tables(n)
        self.logs = np.zeros(n, LOG)
        self.past = np.zeros(n, LOG)
        self.episodes = np.zeros(n, EPISODE)
        self.turns = np.zeros(n, TURN)
        self._final_rewards = np.zeros((n, 4), np.float32)
        self._show_fields()
        self.observations = np.zeros((n, OBSERVATION_SIZE), np.int8)
        self.masks = np.zeros((n, NUM_ACTIONS), np.int8)
        self.finals = make_tables(n)
        first = self.rules.first_dealer
        self.episodes["first_dealer"] = NONE if first == "random" else first
        self.begun = False

    def _show_fields(self) -> None:
        """Make the fields of `turns` arrays of their own names, which are views: what is written there shows here."""
        turns, seats = self.turns, self.rules.seats
        self.permitted, self.labels, self.seats, self.reward = (
            turns[name] for name in ("permitted", "labels", "seat", "reward")
        )
        self.rewards, self.cumulative = (turns[name][:, :seats] for name in ("rewards", "cumulative"))
        self.final_rewards = self._final_rewards[:, :seats]
        self.flags = structured_to_unstructured(turns[FLAGS], copy=False)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A copy, or what was pickled, has views into its own `turns`."""
        self.__dict__.update(state)
        self._show_fields()

    def _show(self, chosen: np.ndarray) -> None:
        show(
            self.packed, self.settings, self.tables, self.episodes, self.turns, self.observations, self.masks, chosen
        )  # fmt: skip

    def save(self) -> dict[str, np.ndarray]:
        """A copy of the whole state: every array by name, and the rules and settings it belongs to."""
        return {name: getattr(self, name).copy() for name in _SAVED} | self._game()

    def _game(self) -> dict[str, np.ndarray]:
        rules = json.dumps(self.rules.as_dict(), sort_keys=True).encode()
        return {"rules": np.frombuffer(rules, np.uint8)[None].copy(), "settings": self.settings.copy()}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `save` gave for tables of the same number, rules and settings.

        What is seen is written anew from the logs, played again: a state that no play leads to is refused.
        """
        if not isinstance(state, Mapping):
            raise BuckError("state: is not a mapping of arrays by name")
        for name, ours in self._game().items():
            if name == "rules" and name in state and state[name].nbytes == _PACKED_RULES:
                continue
            if name not in state or state[name].tobytes() != ours.tobytes():
                raise BuckError(f"state: its {name} are not those of these tables")
        for name in _SAVED:
            array = getattr(self, name)
            if name not in state or state[name].dtype != array.dtype or state[name].shape != array.shape:
                raise BuckError(f"state: {name} is not of shape {array.shape} and type {array.dtype}")
        tables, finals = state["tables"].copy(), state["finals"].copy()
        for name, hands in (("logs", tables), ("past", finals)):
            row = replay(self.packed, state[name], hands)
            if row >= 0:
                raise BuckError(f"state: {name}: no play leads to the hand of table {row}")
        for name in _SAVED:
            getattr(self, name)[...] = state[name]
        self.tables[...], self.finals[...] = tables, finals
        self.begun = True
        self._show(np.ones(self.num_tables, np.bool_))
