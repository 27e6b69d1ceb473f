"""What each legal action would bring if the hand were played on from it, all cards known."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from agents.compiled.brains import can_be_compiled, compile_agents, make_room
from agents.compiled.hands import play_until_paid
from agents.rules_v1.player import RulesV1, decide_blind, make_thoughts
from agents.search.outcomes import outcomes_of
from agents.search.solver import make_solver_room, solve_actions
from buck_env.base.compiled import compiling, kernel
from buck_env.environments.asking import ask
from buck_env.game import engine, scoring
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.bits import only
from buck_env.game.options import Phase
from buck_env.game.rules import Rules
from buck_env.game.table import NONE, TABLE
from buck_env.observation.agent import Agent
from buck_env.observation.labels import PLAIN
from buck_env.observation.masks import mask_rows
from buck_env.observation.views import Views

__all__ = [
    "AgentPlayouts",
    "CompiledPlayouts",
    "Playouts",
    "RulesPlayouts",
    "SolvedPlayouts",
    "playouts_by",
]


class Playouts(Protocol):
    """One way to play hands on."""

    def action_points(self, tables: np.ndarray) -> np.ndarray:
        """The points toward the target (K, A) float32 that each legal action brings the seat to act in the end, of
        tables (K,) TABLE on which every card is known; 0 elsewhere."""
        ...


def playouts_by(agent: Agent, rules: Rules) -> Playouts:
    """Hands played on by one agent at every seat: compiled where the agent is."""
    if isinstance(agent, RulesV1):
        return RulesPlayouts(agent)
    if can_be_compiled(agent, rules):
        return CompiledPlayouts(agent, agent, rules)
    return AgentPlayouts(agent, rules)


class RulesPlayouts:
    """Hands played on by `rules-v1`."""

    def __init__(self, player: RulesV1) -> None:
        self._player = player

    def action_points(self, tables: np.ndarray) -> np.ndarray:
        """The points (K, A) float32, as `Playouts` has them."""
        return self._player.play_out(tables).each


class CompiledPlayouts:
    """Hands played on in compiled code, by one agent in the seat to act and by another in all other seats.

    Their random numbers follow from the positions, so that each is played one way. AgentError names an agent that only
    Python can ask.
    """

    def __init__(self, agent: Agent, others: Agent, rules: Rules) -> None:
        self._packed = rules.packed()
        self._brains = compile_agents([("the agent", agent), ("the others' agent", others)], rules)

    def action_points(self, tables: np.ndarray) -> np.ndarray:
        """The points (K, A) float32, as `Playouts` has them."""
        points = np.zeros((len(tables), NUM_ACTIONS), np.float32)
        with compiling("playouts", __file__):
            _compiled_rows(tables, self._packed, self._brains, make_room(self._brains), _keys(tables), points)
        return points


class SolvedPlayouts:
    """The play solved with all hands open; before the play, `rules-v1` decides at every seat as far as it."""

    def __init__(self, rules: Rules) -> None:
        self._packed = rules.packed()
        self._outcomes = outcomes_of(rules)

    def action_points(self, tables: np.ndarray) -> np.ndarray:
        """The points (K, A) float32, as `Playouts` has them."""
        points = np.zeros((len(tables), NUM_ACTIONS), np.float32)
        with compiling("the solver", __file__):
            _solved_rows(tables, self._packed, self._outcomes, make_solver_room(), make_thoughts(), points)
        return points


class AgentPlayouts:
    """Hands played on by any agent. Its random numbers follow from the positions, so that each is played one way."""

    def __init__(self, agent: Agent, rules: Rules) -> None:
        self._agent = agent
        self._rules = rules

    def action_points(self, tables: np.ndarray) -> np.ndarray:
        """The points (K, A) float32, as `Playouts` has them. BuckError where the agent fails."""
        mask = np.empty((len(tables), NUM_ACTIONS), np.int8)
        mask_rows(tables, self._rules.packed(), np.full(len(tables), PLAIN), mask)
        rows, actions = np.nonzero(mask)
        seats = tables["seat"][rows].astype(np.int64)
        hands = _play_on(self._agent, self._rules, tables.take(rows), actions)
        each = np.arange(len(rows))
        gained = hands["scores"][each, seats] - tables["scores"][rows, seats]
        points = np.zeros((len(tables), NUM_ACTIONS), np.float32)
        points[rows, actions] = self._rules.toward * gained
        return points


def _play_on(agent: Agent, rules: Rules, tables: np.ndarray, actions: np.ndarray) -> np.ndarray:
    """Tables (K,) TABLE at the end of their hands, played on by an agent at every seat after one action (K,) at each.

    All cards are known; the tables given are changed. BuckError where the agent fails.
    """
    packed = rules.packed()
    engine.apply_rows(tables, packed, actions)
    open_ = np.arange(len(tables))
    while (open_ := open_[tables["phase"][open_] != Phase.OVER]).size:
        now = tables.take(open_)
        views = Views.at(rules, now, (_keys(now) >> np.uint64(11)) * 2.0**-53)
        permitted = np.empty(len(now), np.int64)
        engine.permitted_rows(now, packed, permitted)
        engine.apply_rows(now, packed, ask("playouts", agent, views, permitted))
        tables[open_] = now
    return tables


_WEIGHTS = np.random.default_rng(0).integers(1, 2**64 - 1, TABLE.itemsize, np.uint64) | np.uint64(1)


def _keys(tables: np.ndarray) -> np.ndarray:
    """A number of each position, (K,) uint64, evenly spread."""
    contents = np.ascontiguousarray(tables).view(np.uint8).reshape(len(tables), -1)
    return np.asarray(contents.astype(np.uint64) @ _WEIGHTS)


@kernel
def _compiled_rows(tables: Any, packed: Any, brains: Any, room: Any, keys: Any, points: Any) -> None:
    rules = packed[0]
    later = tables[:1].copy()
    sitting = np.empty(4, np.int64)
    for i in range(len(tables)):
        seat = tables[i].seat
        for place in range(4):
            sitting[place] = place != seat
        legal = engine.legal(tables[i], rules)
        for action in range(NUM_ACTIONS):
            if legal >> action & 1:
                later[0] = tables[i]
                engine.apply(later[0], rules, action)
                play_until_paid(brains, room, sitting, later[0], rules, seat, keys[i], action, 0)
                points[i, action] = rules.toward * (later[0].scores[seat] - tables[i].scores[seat])


@kernel
def _solved_rows(tables: Any, packed: Any, outcomes: Any, room: Any, thoughts: Any, points: Any) -> None:
    rules = packed[0]
    later, seen = tables[:1].copy(), tables[:1].copy()
    tricks, unused = np.zeros(4, np.int8), np.zeros(NUM_ACTIONS, np.float32)
    for i in range(len(tables)):
        if tables[i].phase == Phase.PLAY:
            solve_actions(tables[i], rules, outcomes, room, NONE, True, tricks, points[i])
            continue
        seat = tables[i].seat
        legal = engine.legal(tables[i], rules)
        for action in range(NUM_ACTIONS):
            if not legal >> action & 1:
                continue
            later[0] = tables[i]
            engine.apply(later[0], rules, action)
            while later[0].phase != Phase.PLAY and later[0].phase != Phase.OVER:
                turn = engine.legal(later[0], rules)
                forced = turn & turn - 1 == 0
                choice = only(turn) if forced else decide_blind(later[0], rules, seen, thoughts)
                engine.apply(later[0], rules, choice)
            if later[0].phase == Phase.OVER:
                points[i, action] = rules.toward * (later[0].scores[seat] - tables[i].scores[seat])
            else:
                solve_actions(later[0], rules, outcomes, room, NONE, False, tricks, unused)
                later[0].tricks[seat] = tricks[seat]
                points[i, action] = scoring.points(later[0], rules, seat)
