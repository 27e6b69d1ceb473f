"""What an agent is: one method, and members that it may have beside it. No other file looks for them by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeGuard, runtime_checkable

import numpy as np

from buck_env.base.errors import BuckError
from buck_env.game.rules import Rules
from buck_env.observation.views import Views, pick_evenly

__all__ = [
    "SOFTENING",
    "Agent",
    "AgentError",
    "AgentMembers",
    "RandomAgent",
    "is_agent",
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


class AgentMembers(Agent, Protocol):
    """Every member that this project reads of an agent. All but `act` are optional.

    The functions below read them, and say what holds of an agent that lacks one.
    """

    rules: Rules
    """The rules of the game it was loaded for."""
    phases: Sequence[str]
    """The phases it can decide."""
    parts: Mapping[str, Agent]
    """Phase: the agent that decides it, of an agent made of several."""
    probabilities: Callable[[Views], np.ndarray]
    """How likely each action is by its policy, before it chooses: (B, A) float64, 0 where illegal, rows sum to 1."""
    sha256: str
    """The checksum of its weights."""
    program_counts: Counter[str]
    """The `decisions` asked of programs, those `replaced`, and the programs' faults by their kind."""


def is_agent(value: object) -> TypeGuard[Agent]:
    """Whether a value is an agent: an object, not a class, that has a method `act`."""
    return not isinstance(value, type) and callable(_member(value, "act", None))


def rules_of(agent: Agent) -> Rules | None:
    """The rules an agent was loaded for; None where it does not say."""
    rules: Rules | None = _member(agent, "rules", None)
    return rules


def phases_of(agent: Agent, rules: Rules) -> tuple[str, ...]:
    """The phases an agent can decide: all of the game's, unless it says otherwise."""
    return _member(agent, "phases", rules.phases)


def parts_of(agent: Agent) -> Mapping[str, Agent]:
    """Phase: agent, of an agent made of several; empty for any other."""
    parts: Mapping[str, Agent] = _member(agent, "parts", {})
    return parts


def probabilities_of(agent: Agent, views: Views) -> np.ndarray:
    """How likely an agent is to take each action of B views: (B, A) float64, 0 where illegal, rows sum to 1.

    By its own `probabilities` if it has any. Otherwise its choice, but for a share of `SOFTENING` that is spread evenly
    over the legal actions: nobody can be sure that such an agent does nothing else.
    """
    own: Callable[[Views], np.ndarray] | None = _member(agent, "probabilities", None)
    if own is not None:
        return own(views)
    mask = views.action_mask
    softened = SOFTENING * mask / mask.sum(axis=1, keepdims=True)
    softened[np.arange(len(mask)), agent.act(views)] += 1 - SOFTENING
    return softened


def sha256_of(agent: Agent) -> str | None:
    """The checksum of an agent's weights; None for an agent without weights."""
    checksum: str | None = _member(agent, "sha256", None)
    return checksum


def tally_of(agent: Agent) -> Counter[str]:
    """A copy of the counts of the programs that an agent asks, so far; empty where it asks none."""
    counts = _member(agent, "program_counts", None)
    return Counter(counts) if isinstance(counts, Counter) else Counter()


def _member(agent: object, name: str, default: Any) -> Any:
    return getattr(agent, name, default)


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
