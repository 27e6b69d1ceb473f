"""N tables at which one seat each learns and agents play the others: the core of the single-seat environments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from buck_env.base.checks import whole_numbers
from buck_env.base.errors import BuckError
from buck_env.environments.asking import ask_all, random_actions
from buck_env.environments.tables import Tables
from buck_env.game.rules import Rules
from buck_env.game.shuffle import draw_seats
from buck_env.observation.agent import Agent

__all__ = ["Solo"]

_TRIES = 10_000  # episodes in a row without a decision of the learner's before that is an error


_COUNTS = ("own", "illegal", "decisions")


class Solo:
    """One learning seat at each of N tables; `players` are the S - 1 others by name, clockwise from its left.

    Arrays: own (N,) int64 the learner's seat, over (N,) bool, reward (N,) float32 gathered since its last decision,
    decisions (N,) int64 the learner's decisions in this episode, illegal (N,) int64 those of them that were illegal and
    replaced; see `Tables` for the others.
    """

    def __init__(
        self,
        num_tables: int,
        rules: Rules,
        players: Sequence[tuple[str, Agent]],
        seat: int | None,
        illegal_action: Literal["raise", "random"],
        **settings: Any,
    ) -> None:
        if seat is not None and seat not in range(rules.seats):
            raise BuckError(
                f"seat: {seat!r} is no seat; allowed: 0 to {rules.seats - 1}, or None for a new one each episode"
            )
        self.tables = Tables(rules, num_tables, autoreset="disabled", **settings)
        self._distinct = list({id(agent): (name, agent) for name, agent in players}.values())
        places = {id(agent): place for place, (_, agent) in enumerate(self._distinct)}
        self._at_place = np.array([-1, *(places[id(agent)] for _, agent in players)])
        self.seat = seat
        self.illegal_action = illegal_action
        self.own = np.zeros(num_tables, np.int64)
        self.illegal = np.zeros(num_tables, np.int64)
        self.decisions = np.zeros(num_tables, np.int64)

    @property
    def over(self) -> np.ndarray:
        return self.tables.episodes["over"] != 0

    @property
    def reward(self) -> np.ndarray:
        return self.tables.cumulative[np.arange(len(self.own)), self.own]

    def reset(self, seed: int | None, chosen: np.ndarray) -> None:
        """Begin episodes at the chosen tables and play on to the learner's first decision in each."""
        self.illegal[chosen] = 0
        self.decisions[chosen] = 0
        for _ in range(_TRIES):
            self.tables.reset(seed, chosen)
            self._take_seats(chosen)
            self._play_others(chosen)
            seed, chosen = None, chosen & self.over  # an episode without a decision of the learner's is dealt anew
            if not chosen.any():
                return
        raise BuckError(f"rules {self.tables.rules.name}: no decision of the learner's in {_TRIES} episodes")

    def save(self) -> dict[str, np.ndarray]:
        """A copy of the whole state: every array by name, each of N rows."""
        return {**self.tables.save(), **{name: getattr(self, name).copy() for name in _COUNTS}}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Go back to a state that `save` gave for tables of the same number and game."""
        state = {"decisions": np.zeros_like(self.decisions), **state}  # version 0.1.0 did not count them
        for name in _COUNTS:
            if name not in state or state[name].dtype != np.int64 or state[name].shape != self.own.shape:
                raise BuckError(f"state: {name} is not of shape {self.own.shape} and type int64")
        self.tables.restore(state)
        for name in _COUNTS:
            getattr(self, name)[:] = state[name]

    def _take_seats(self, chosen: np.ndarray) -> None:
        if self.seat is not None:
            self.own[chosen] = self.seat
            return
        episodes = self.tables.episodes[chosen]
        seats = np.empty(len(episodes), np.int64)
        draw_seats(episodes["seed"], episodes["deals"], self.tables.rules.seats, seats)
        self.own[chosen] = seats

    def step(self, actions: Any) -> None:
        """The learner's action, (N,) whole numbers, where its episode goes on, then the others' up to its next one."""
        if not self.tables.begun:
            raise BuckError("step: call reset first")
        chosen = ~self.over
        actions = whole_numbers(actions, len(chosen))
        if self.illegal_action == "random":
            actions = self._made_legal(actions, chosen)
        self.tables.step_some(np.where(chosen, actions, -1), chosen)
        self.decisions[chosen] += 1
        self._play_others(chosen)

    def _made_legal(self, actions: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        masks = self.tables.masks
        known = (actions >= 0) & (actions < masks.shape[1])
        legal = known & (masks[np.arange(len(actions)), np.where(known, actions, 0)] != 0)
        wrong = np.flatnonzero(chosen & ~legal)
        if len(wrong):
            actions = actions.copy()
            actions[wrong] = random_actions(self.tables, wrong)
            self.illegal[wrong] += 1
        return actions

    def _play_others(self, chosen: np.ndarray) -> None:
        tables = self.tables
        while True:
            places = (tables.seats - self.own) % tables.rules.seats
            moving = chosen & ~self.over & (places != 0)
            if not moving.any():
                return
            deciding = np.where(moving, self._at_place[places], -1)
            tables.step_some(ask_all(tables, self._distinct, deciding, quiet=True), moving)
