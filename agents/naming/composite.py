"""One agent made of several, each with phases of its own: ``phases:bid+name=A,stay=B,else=C``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from agents.naming.kinds import PHASES as PHASES_KIND
from agents.naming.parse import ELSE, AgentName, Part, parse, phases_name
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.observation.agent import Agent, AgentError, is_repeatable, probabilities_of, rules_of, tally_of
from buck_env.observation.views import Views

__all__ = ["Composite", "composite_name", "deciders"]


class Composite:
    """Asks the agent of the phase that is to be decided."""

    def __init__(self, parts: Mapping[str, Agent]) -> None:
        self.parts = dict(parts)
        """Phase: agent."""
        self.phases = tuple(parts)
        self._agents = list(dict.fromkeys(parts.values()))
        places = {phase: self._agents.index(agent) for phase, agent in parts.items()}
        self._place = np.array([places.get(phase, -1) for phase in PHASES])  # of each phase's agent, by phase number
        self.repeatable = all(map(is_repeatable, self._agents))
        """Whether the same decision gets the same answer again."""
        self.rules = next((rules for agent in self._agents if (rules := rules_of(agent))), None)

    @property
    def program_counts(self) -> Counter[str]:
        """The counts of the programs of all parts together."""
        return sum(map(tally_of, self._agents), Counter[str]())

    def act(self, views: Views) -> np.ndarray:
        """Legal actions (B,) of B views."""
        actions = np.empty(len(views), np.int64)
        for agent, rows in self._asked(views):
            actions[rows] = agent.act(views.take(rows))
        return actions

    def probabilities(self, views: Views) -> np.ndarray:
        """How likely each action is by the agent that decides: (B, A) float64."""
        drawn = np.zeros((len(views), NUM_ACTIONS))
        for agent, rows in self._asked(views):
            drawn[rows] = probabilities_of(agent, views.take(rows))
        return drawn

    def _asked(self, views: Views) -> Iterator[tuple[Agent, np.ndarray]]:
        """Each agent that decides some of the views, with their rows."""
        asked = self._place[views.tables["phase"]]
        for place, agent in enumerate(self._agents):
            rows = np.flatnonzero(asked == place)
            if len(rows):
                yield agent, rows


def composite_name(phases: Sequence[str], name: str, otherwise: str, rules: Rules) -> str:
    """The name of an agent that decides these phases by one agent and the others, if there are any, by another."""
    if set(phases) >= set(rules.phases):
        return name
    other = parse(otherwise)
    rest = other.parts if other.kind is PHASES_KIND else (Part((ELSE,), other),)
    left = (Part(tuple(phase for phase in part.phases if phase not in phases), part.agent) for part in rest)
    return phases_name((Part(tuple(phases), parse(name)), *(part for part in left if part.phases)))


def deciders(name: AgentName, rules: Rules) -> dict[str, AgentName]:
    """Phase: who decides it, for every phase of a game; AgentError names a phase that has no agent, or two."""
    found: dict[str, AgentName] = {}
    otherwise = None
    for part in name.parts:
        if part.phases == (ELSE,):
            otherwise = part.agent
            continue
        for phase in part.phases:
            if phase not in rules.phases:
                raise AgentError(
                    f"agent: {name.text}: {phase!r} is no phase of these rules; "
                    f"allowed: {', '.join(rules.phases)}, {ELSE}"
                )
            if phase in found:
                raise AgentError(f"agent: {name.text}: {phase} is given twice")
            found[phase] = part.agent
    nobody = [phase for phase in rules.phases if phase not in found]
    if nobody and otherwise is None:
        raise AgentError(f"agent: {name.text}: nobody decides {', '.join(nobody)}; add {ELSE}=AGENT")
    return {phase: found.get(phase) or otherwise for phase in rules.phases}  # type: ignore[misc]
