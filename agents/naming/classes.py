"""Agents that are classes of a user's: ``module:Class``."""

from __future__ import annotations

import importlib

from buck_env.base.errors import in_one_line
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.observation.agent import Agent, AgentError, is_agent, phases_of

__all__ = ["load_class"]


def load_class(name: str, rules: Rules) -> Agent:
    """``Class(rules)`` of ``module:Class``; AgentError says in one line whatever goes wrong on the way."""
    module, _, cls = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), cls, None)
    except (Exception, SystemExit) as error:
        raise AgentError(
            f"agent: {name!r}: module {module} cannot be imported: {in_one_line(error)}; put its folder on PYTHONPATH"
        ) from error
    if not isinstance(found, type):
        raise AgentError(f"agent: {name!r}: module {module} has no class {cls}")
    try:
        agent: object = found(rules)
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent: {name!r}: {cls}(rules) failed ({in_one_line(error)})") from error
    if not is_agent(agent):
        raise AgentError(f"agent: {name!r}: class {cls} has no method act(views)")
    phases = phases_of(agent, rules)
    if not isinstance(phases, tuple | list) or any(phase not in PHASES for phase in phases):
        raise AgentError(f"agent: {name!r}: phases is {phases!r}; allowed: a tuple of {', '.join(PHASES)}")
    return agent
