"""What an agent is: one method, and members that it may have beside it.

Each optional member is declared by a protocol of its own; the function that reads it says what holds of an agent that
lacks it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final, Protocol, TypeGuard, runtime_checkable

import numpy as np

from buck_env.base.errors import BuckError
from buck_env.game.rules import Rules
from buck_env.observation.views import Views, pick_evenly

__all__ = [
    "SOFTENING",
    "Agent",
    "AgentError",
    "RandomAgent",
    "is_agent",
    "is_repeatable",
    "parts_of",
    "phases_of",
    "probabilities_of",
    "rules_of",
    "sha256_of",
    "tally_of",
]

SOFTENING: Final = 0.05
"""The share of its decisions in which an agent without probabilities may do anything legal."""


class AgentError(BuckError):
    """An agent that does not exist or cannot be loaded."""


@runtime_checkable
class Agent(Protocol):
    """Whoever decides. An agent keeps no state: the same views give the same actions, however they are batched."""

    def act(self, views: Views) -> np.ndarray:
        """One legal action a view, (B,) integers, suits as they are.

        Everything a seat knows is in `views`; what chance an agent needs is `views.uniforms`, a number in [0, 1) of
        each decision's own.
        """
        ...


@runtime_checkable
class HasRules(Agent, Protocol):
    """An agent that knows the rules of the game it was loaded for."""

    rules: Rules | None


@runtime_checkable
class HasPhases(Agent, Protocol):
    """An agent that knows which phases it can decide."""

    phases: tuple[str, ...]


@runtime_checkable
class HasParts(Agent, Protocol):
    """An agent made of several."""

    parts: Mapping[str, Agent]
    """Phase: the agent that decides it."""


@runtime_checkable
class HasProbabilities(Agent, Protocol):
    """An agent with a policy from which it chooses."""

    def probabilities(self, views: Views) -> np.ndarray:
        """How likely each action is: (B, A) float64, 0 where illegal, rows sum to 1."""
        ...


@runtime_checkable
class HasSha256(Agent, Protocol):
    """An agent with weights."""

    sha256: str | None
    """Their checksum."""


@runtime_checkable
class HasRepeatable(Agent, Protocol):
    """An agent that knows whether it decides by a clock."""

    repeatable: bool
    """Whether the same decision gets the same answer again."""


@runtime_checkable
class HasProgramCounts(Agent, Protocol):
    """An agent that asks programs."""

    program_counts: Counter[str]
    """The `decisions` asked of programs, those `replaced`, and the programs' faults by their kind."""


def is_agent(value: object) -> TypeGuard[Agent]:
    """Whether a value is an agent: an object, not a class, that has a method `act`."""
    return not isinstance(value, type) and isinstance(value, Agent) and callable(value.act)


def rules_of(agent: Agent) -> Rules | None:
    """The rules an agent was loaded for; None where it does not say."""
    return agent.rules if isinstance(agent, HasRules) else None


def phases_of(agent: Agent, rules: Rules) -> tuple[str, ...]:
    """The phases an agent can decide: all of the game's, unless it says otherwise."""
    return agent.phases if isinstance(agent, HasPhases) else rules.phases


def parts_of(agent: Agent) -> Mapping[str, Agent]:
    """Phase: agent, of an agent made of several; empty for any other."""
    return agent.parts if isinstance(agent, HasParts) else {}


def probabilities_of(agent: Agent, views: Views) -> np.ndarray:
    """How likely an agent is to take each action of B views: (B, A) float64, 0 where illegal, rows sum to 1.

    By its own `probabilities` if it has any. Otherwise its choice, but for a share of `SOFTENING` that is spread evenly
    over the legal actions: nobody can be sure that such an agent does nothing else.
    """
    if isinstance(agent, HasProbabilities):
        return agent.probabilities(views)
    mask = views.action_mask
    softened = SOFTENING * mask / mask.sum(axis=1, keepdims=True)
    softened[np.arange(len(mask)), agent.act(views)] += 1 - SOFTENING
    return softened


def sha256_of(agent: Agent) -> str | None:
    """The checksum of an agent's weights; None for an agent without weights."""
    return agent.sha256 if isinstance(agent, HasSha256) else None


def is_repeatable(agent: Agent) -> bool:
    """Whether an agent gives the same answer to the same decision again, as all do unless they say otherwise."""
    return agent.repeatable if isinstance(agent, HasRepeatable) else True


def tally_of(agent: Agent) -> Counter[str]:
    """A copy of the counts of the programs that an agent asks, so far; empty where it asks none."""
    return Counter(agent.program_counts if isinstance(agent, HasProgramCounts) else ())


class RandomAgent:
    """A legal action drawn evenly by each decision's own number."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def act(self, views: Views) -> np.ndarray:
        """Actions (B,)."""
        return pick_evenly(views.action_mask, views.uniforms)

    def probabilities(self, views: Views) -> np.ndarray:
        """Every legal action is as likely as the others: (B, A) float64."""
        mask = views.action_mask
        return mask / mask.sum(axis=1, keepdims=True)
