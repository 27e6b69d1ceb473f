"""One agent made of several, each with phases of its own: ``phases:bid+name=A,stay=B,else=C``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from agents import Agent, AgentError, load_part, phases_of, tally_of
from buck_env.game.rules import Rules
from buck_env.game.table import PHASES
from buck_env.observation.views import Views

if TYPE_CHECKING:
    from agents.programs.command import CommandSettings

__all__ = ["Composite", "composite_name", "load_composite"]


class Composite:
    """Asks the agent of the phase that is to be decided."""

    def __init__(self, parts: Mapping[str, Agent]) -> None:
        self.parts = dict(parts)
        """Phase: agent."""
        self.phases = tuple(parts)
        self._agents = list(dict.fromkeys(parts.values()))
        places = {phase: self._agents.index(agent) for phase, agent in parts.items()}
        self._place = np.array([places.get(phase, -1) for phase in PHASES])  # of each phase's agent, by phase number
        self.rules = next((rules for part in parts.values() if (rules := getattr(part, "rules", None))), None)

    @property
    def tally(self) -> Counter[str]:
        """The tallies of its parts together."""
        return sum(map(tally_of, dict.fromkeys(self.parts.values())), Counter[str]())

    def act(self, views: Views) -> np.ndarray:
        """Legal actions (B,) of B views."""
        actions = np.empty(len(views), np.int64)
        asked = self._place[views.tables["phase"]]
        for place, agent in enumerate(self._agents):
            rows = np.flatnonzero(asked == place)
            if len(rows):
                actions[rows] = agent.act(views.take(rows))
        return actions


def composite_name(phases: Sequence[str], name: str, otherwise: str, rules: Rules) -> str:
    """What an agent is called that decides these phases by one agent and the others, if there are any, by another."""
    if set(phases) >= set(rules.phases):
        return name
    head, _, parts = otherwise.partition(":")
    rest = f"else={otherwise}"
    if head == "phases":  # parts have no parts
        kept = [(part.partition("=")[0].split("+"), part.partition("=")[2]) for part in parts.split(",")]
        left = [("+".join(phase for phase in told if phase not in phases), who) for told, who in kept]
        rest = ",".join(f"{told}={who}" for told, who in left if told)
    return f"phases:{'+'.join(phases)}={name},{rest}"


def load_composite(text: str, rules: Rules, programs: CommandSettings | None = None) -> Composite:
    """The agent of ``phase+phase=agent,…,else=agent``; AgentError names a phase without an agent, or with two."""
    names: dict[str, str] = {}
    otherwise = None
    for part in text.split(","):
        phases, equals, name = part.partition("=")
        if not equals or not name:
            raise AgentError(f"agent: phases:{text}: {part!r} is not PHASE+PHASE=AGENT")
        if phases == "else":
            otherwise = name
            continue
        for phase in phases.split("+"):
            if phase not in rules.phases:
                raise AgentError(
                    f"agent: phases:{text}: {phase!r} is no phase of these rules; "
                    f"allowed: {', '.join(rules.phases)}, else"
                )
            if phase in names:
                raise AgentError(f"agent: phases:{text}: {phase} is given twice")
            names[phase] = name
    open_phases = [phase for phase in rules.phases if phase not in names]
    if open_phases and otherwise is None:
        raise AgentError(f"agent: phases:{text}: nobody decides {', '.join(open_phases)}; add else=AGENT")
    names |= {phase: otherwise for phase in open_phases if otherwise}
    agents = {name: load_part(name, rules, programs) for name in dict.fromkeys(names.values())}
    for phase, name in names.items():
        if phase not in phases_of(agents[name], rules):
            raise AgentError(f"agent: phases:{text}: {name} has not learned {phase}")
    return Composite({phase: agents[names[phase]] for phase in rules.phases})
