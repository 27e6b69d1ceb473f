"""Who sits down: agents, each named by a string, as README.md's table says.

Importing this package loads nothing else: each name below is looked up in its own file when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.naming.load import load_agent, load_part
    from agents.naming.parse import runs_code
    from agents.programs.position import choose
    from buck_env.observation.agent import Agent, AgentError, phases_of, tally_of

__all__ = ["Agent", "AgentError", "choose", "load_agent", "load_part", "phases_of", "runs_code", "tally_of"]

_HOMES = {
    "Agent": "buck_env.observation.agent",
    "AgentError": "buck_env.observation.agent",
    "choose": "agents.programs.position",
    "load_agent": "agents.naming.load",
    "load_part": "agents.naming.load",
    "phases_of": "buck_env.observation.agent",
    "runs_code": "agents.naming.parse",
    "tally_of": "buck_env.observation.agent",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value
