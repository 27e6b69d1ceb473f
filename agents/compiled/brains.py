"""Agents as kernels can ask them: networks, `rules-v1`, `random`, and one of these for each phase.

``brains = compile_agents([("me", agent), ("they", other)], rules)``, and in a kernel
``decide(brains, room, who, table, packed, uniform)`` is what agent number `who` does at a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from agents.bots.compiled_network import Networks, Scratch, drawn_action, greedy_action, make_scratch, pack_networks
from agents.bots.network import NetworkAgent
from agents.rules_v1.player import RulesV1, Thoughts, decide_blind, make_thoughts
from buck_env.base.compiled import kernel
from buck_env.game.bits import count, nth, only
from buck_env.game.engine import legal
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.game.table import make_tables
from buck_env.observation.agent import Agent, AgentError, RandomAgent, parts_of

__all__ = ["Brains", "Room", "can_be_compiled", "compile_agents", "decide", "make_room"]

_RULES_V1: Final = -1
_RANDOM: Final = -2


class Brains(NamedTuple):
    """K agents as kernels read them."""

    networks: Networks
    """All their networks."""
    deciders: np.ndarray
    """(K, 8) int64: by phase the number of the network that decides it, or another agent's mark, below 0."""
    sampled: np.ndarray
    """(K, 8) bool: whether that network's actions are drawn."""


class Room(NamedTuple):
    """Room for one decision at a time; no two threads may share it."""

    scratch: Scratch
    """For networks,"""
    thoughts: Thoughts
    """for `rules-v1`,"""
    seen: np.ndarray
    """(1,) TABLE: and what it sees."""


def can_be_compiled(agent: Agent, rules: Rules) -> bool:
    """Whether kernels can ask an agent in every phase of these rules."""
    parts = (parts_of(agent).get(phase, agent) for phase in rules.phases)
    return all(isinstance(part, NetworkAgent | RulesV1 | RandomAgent) for part in parts)


def compile_agents(agents: Sequence[tuple[str, Agent]], rules: Rules) -> Brains:
    """Agents with their names, in their order. AgentError names one that only Python can ask."""
    networks: list[NetworkAgent] = []
    deciders = np.full((len(agents), len(PHASES)), _RANDOM)
    sampled = np.zeros((len(agents), len(PHASES)), np.bool_)
    for k, (name, agent) in enumerate(agents):
        for phase in rules.phases:
            part, place = parts_of(agent).get(phase, agent), PHASES.index(phase)
            if isinstance(part, NetworkAgent):
                if part not in networks:
                    networks.append(part)
                deciders[k, place] = networks.index(part)
                sampled[k, place] = part.sampled
            elif isinstance(part, RulesV1 | RandomAgent):
                deciders[k, place] = _RULES_V1 if isinstance(part, RulesV1) else _RANDOM
            else:
                raise AgentError(
                    f"agent: {name!r} cannot be asked from compiled code; allowed: pretrained:NAME, ppo:FOLDER, "
                    "rules-v1, random, and phases:LIST of these"
                )
    return Brains(pack_networks(networks), deciders, sampled)


def make_room(brains: Brains) -> Room:
    """Room for decisions of these agents."""
    return Room(make_scratch(brains.networks), make_thoughts(), make_tables(1))


@kernel
def decide(brains: Any, room: Any, who: int, table: Any, rules: Any, uniform: float) -> int:
    """What an agent does at a table, whose hidden cards may be there: it does not look at them.

    `uniform`, a number in [0, 1) of this decision's own, is what chance it needs.
    """
    options = legal(table, rules)
    if options & options - 1 == 0:
        return only(options)
    decider = brains.deciders[who, table.phase]
    if decider >= 0:
        if brains.sampled[who, table.phase]:
            return drawn_action(brains.networks, decider, table, rules, options, room.scratch, uniform)
        return greedy_action(brains.networks, decider, table, rules, options, room.scratch)
    if decider == _RULES_V1:
        return decide_blind(table, rules, room.seen, room.thoughts)
    return nth(options, np.int64(uniform * count(options)))
