"""Who sits down: agents, each named by a string, as README.md's table says.

Importing this package loads little: each name below is looked up in its own file when it is first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from buck_env.base.lazy import lazily

if TYPE_CHECKING:
    from agents.naming.load import load_agent, load_part
    from agents.naming.parse import runs_code
    from agents.programs.position import choose
    from buck_env.observation.agent import Agent, AgentError, phases_of, tally_of

__all__ = ["Agent", "AgentError", "choose", "load_agent", "load_part", "phases_of", "runs_code", "tally_of"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = lazily(__name__, __file__)
