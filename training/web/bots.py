"""The bots that a service answers for: those that its command named, loaded before the first request."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from agents import Agent, AgentError, load_agent, runs_code
from agents.programs.settings import CommandSettings
from buck_env.base.errors import BuckError, shortened
from buck_env.environments.tables import Tables
from buck_env.game.rules import Rules
from buck_env.observation.agent import HasProbabilities
from buck_env.observation.views import Views
from training.analysis.advice import advise
from training.base.provenance import checksum_of
from training.web.refusals import Refusal

__all__ = ["Bots", "first_decision", "load_bots"]

_OF_ANY_RULES: Final = ("rules-v1", "random")
"""Bots that play whatever rules a view names, since they need no file."""
_MOST_MORE: Final = 64
"""Agents that a bot keeps for rules that the command did not name."""


@dataclass(frozen=True)
class Bots:
    """Bots by name, and under each the agents by the rules that it plays."""

    agents: dict[str, dict[Rules, Agent]]
    """As they were named at the start; the first is the one that answers where a request names none."""
    rules: tuple[Rules, ...]
    """The rules named at the start."""
    _more: dict[str, OrderedDict[Rules, Agent]]
    """Agents for rules that the command did not name, by the bot's name."""

    def name(self, asked: str | None) -> str:
        """The name of the bot that is asked for; Refusal where it is none of those named at the start."""
        name = next(iter(self.agents)) if asked is None else asked
        if name not in self.agents:
            raise Refusal(404, f"{shortened(repr(name))} is not served", "bot", f"name one of {', '.join(self.agents)}")
        return name

    def agent(self, name: str, rules: Rules) -> Agent:
        """A bot's agent for some rules; Refusal where it does not play them. Only one thread may ask for a bot at
        a time."""
        more = self._more[name]
        agent = self.agents[name].get(rules) or more.get(rules)
        if agent is not None:
            return agent
        if name not in _OF_ANY_RULES:
            plays = "; ".join(known.name for known in self.agents[name])
            able = [bot for bot in self.agents if rules in self.agents[bot] or bot in _OF_ANY_RULES]
            others = f", or ask {' or '.join(able)}" if able else ""
            raise Refusal(
                422, f"{name} does not play the rules {rules.name}", "view.rules", f"it plays {plays}{others}"
            )
        agent = more[rules] = load_agent(name, rules)
        if len(more) > _MOST_MORE:
            more.popitem(last=False)
        return agent

    def models(self, rules: Rules) -> list[str]:
        """The names of the bots by which an analysis under these rules can be made, the first as the default."""
        return [
            name
            for name, agents in self.agents.items()
            if not runs_code(name) and (rules in agents or name in _OF_ANY_RULES)
        ]

    def seated(self) -> list[dict[str, str]]:
        """The bots that a page has from the service alone, each with the name of rules that it plays."""
        return [
            {"name": name, "rules": rules.name}
            for name, agents in self.agents.items()
            if name not in _OF_ANY_RULES
            for rules in agents
        ]

    def listed(self) -> list[dict[str, Any]]:
        """The bots with what they play, for whoever asks which there are."""
        return [
            {
                "name": name,
                "rules": [rules.name for rules in agents],
                "any_rules": name in _OF_ANY_RULES,
                "probabilities": all(isinstance(agent, HasProbabilities) for agent in agents.values()),
                "sha256": {rules.name: checksum_of(agent) for rules, agent in agents.items()},
            }
            for name, agents in self.agents.items()
        ]


def load_bots(names: Sequence[str], rules: Sequence[Rules], programs: CommandSettings | None = None) -> Bots:
    """Bots, each for all those of the rules that it plays, every one asked once so that it is compiled.

    BuckError where a bot plays none of the rules, or is named twice.
    """
    agents: dict[str, dict[Rules, Agent]] = {}
    for name in names:
        if name in agents:
            raise AgentError(f"agent: {name!r} is named twice")
        agents[name] = _for_rules(name, rules, programs)
    for name, mine in agents.items():
        for known, agent in mine.items():
            try:
                advise(agent, first_decision(known))
            except Exception as error:
                raise AgentError(f"agent: {name!r} cannot decide in {known.name}: {error}") from error
    return Bots(agents, tuple(rules), {name: OrderedDict() for name in agents})


def _for_rules(name: str, rules: Sequence[Rules], programs: CommandSettings | None) -> dict[Rules, Agent]:
    found: dict[Rules, Agent] = {}
    first: BuckError | None = None
    for known in rules:
        try:
            found[known] = load_agent(name, known, programs)
        except BuckError as error:
            first = first or error
    if not found and first is not None:
        raise first
    return found


def first_decision(rules: Rules) -> Views:
    """The first decision of some hand, a batch of one."""
    tables = Tables(rules, 1)
    tables.reset(0)
    views = Views.of(rules, tables.tables, tables.logs)
    return views.take(np.zeros(1, np.int64))
