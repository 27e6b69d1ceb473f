"""Agents by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agents.naming.composite import Composite, composite_name, deciders
from agents.naming.kinds import NICKNAME, PHASES, SEARCH
from agents.naming.parse import AgentName, parse
from agents.search.budget import split_search
from buck_env.game.house import RulesSource, load_rules
from buck_env.game.rules import Rules
from buck_env.observation.agent import Agent, AgentError, phases_of

if TYPE_CHECKING:
    from agents.programs.settings import CommandSettings

__all__ = ["load_agent", "load_part"]


def load_agent(name: str, rules: RulesSource, programs: CommandSettings | None = None) -> Agent:
    """The agent of a name, ready for a game of these rules, able to decide every phase of it.

    The names are those of README.md's table. ``module:Class`` imports the module and calls ``Class(rules)``, and
    ``cmd:COMMAND`` runs a program with the limits that `programs` sets: these are the only agent strings that run code.
    AgentError says in one line what is wrong and what is allowed.
    """
    rules = load_rules(rules)
    return _whole(load_part(name, rules, programs), name, rules)


def load_part(name: str, rules: Rules, programs: CommandSettings | None = None) -> Agent:
    """The agent of a name, able to decide at least the phases that `phases_of` gives."""
    return _load(parse(name), rules, programs)


def _whole(agent: Agent, name: str, rules: Rules) -> Agent:
    """An agent that has to decide every phase; AgentError names those it has not learned."""
    missing = [phase for phase in rules.phases if phase not in phases_of(agent, rules)]
    if missing:
        whole = composite_name(phases_of(agent, rules), name, "rules-v1", rules)
        raise AgentError(f"agent: {name!r} has not learned {', '.join(missing)}; as in {whole}")
    return agent


def _load(name: AgentName, rules: Rules, programs: CommandSettings | None) -> Agent:
    if name.kind is NICKNAME:
        return _load(name.parts[0].agent, rules, programs)
    if name.kind is SEARCH:
        return _load_search(name, rules, programs)
    if name.kind is PHASES:
        return _load_composite(name, rules, programs)
    assert name.kind.load is not None
    return name.kind.load(name.argument, rules, programs)


def _load_search(name: AgentName, rules: Rules, programs: CommandSettings | None) -> Agent:
    """A search with one agent as the others' model, as the one who plays on, and as what holds where it finds nothing
    better."""
    from agents.compiled.models import as_model
    from agents.search.look_ahead import LookAhead
    from agents.search.playouts import playouts_by

    how = split_search(name.argument)
    for phase in how.phases:
        if phase not in rules.phases:
            raise AgentError(
                f"agent: {name.text}: {phase!r} is no phase of these rules; allowed: {', '.join(rules.phases)}"
            )
    bot = name.parts[0].agent
    agent = _whole(_load(bot, rules, programs), bot.text, rules)
    playouts = playouts_by(agent, rules)
    return LookAhead(rules, how.budget, playouts, model=as_model(agent), prior=agent, phases=how.phases)


def _load_composite(name: AgentName, rules: Rules, programs: CommandSettings | None) -> Composite:
    """The agents of all parts; who sits in two of them is loaded once."""
    names = deciders(name, rules)
    agents = {part.text: _load(part, rules, programs) for part in dict.fromkeys(names.values())}
    for phase, part in names.items():
        if phase not in phases_of(agents[part.text], rules):
            raise AgentError(f"agent: {name.text}: {part.text} has not learned {phase}")
    return Composite({phase: agents[names[phase].text] for phase in rules.phases})
