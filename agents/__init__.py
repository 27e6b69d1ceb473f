"""Who sits down: agents, each named by a string.

random         a legal action drawn evenly
rules-v1       a hand-written player of every profile and house rule
ppo:PATH       a trained network, from the folder or file of a bot
module:Class   a class of yours; the only agent string that runs code
"""

from __future__ import annotations

import importlib
from typing import Protocol, cast, runtime_checkable

import numpy as np

from buck_env.errors import BuckError
from buck_env.rules import Rules
from buck_env.views import Views

__all__ = ["Agent", "AgentError", "load_agent"]

_ALLOWED = "random, rules-v1, ppo:PATH, module:Class"


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


def load_agent(name: str, rules: Rules) -> Agent:
    """The agent of a name, ready for a game of these rules.

    ``random``, ``rules-v1``, ``ppo:PATH``, or ``module:Class``, which imports the module and calls ``Class(rules)``:
    the only agent string that runs code. AgentError says in one line what is wrong and what is allowed.
    """
    head, colon, tail = name.partition(":") if isinstance(name, str) else ("", "", "")
    if name == "random":
        from agents.random_agent import RandomAgent

        return RandomAgent(rules)
    if name == "rules-v1":
        from agents.rules_v1 import RulesV1

        return RulesV1(rules)
    if head == "ppo" and colon:
        if not tail:
            raise AgentError(f"agent: {name!r} names no bot; allowed: ppo:PATH")
        from agents.network import load_bot

        return cast(Agent, load_bot(tail, rules))
    if colon and all(part.isidentifier() for part in head.split(".")) and tail.isidentifier():
        return _load_class(name, head, tail, rules)
    raise AgentError(f"agent: {name!r} is not known; allowed: {_ALLOWED}")


def _load_class(name: str, module: str, cls: str, rules: Rules) -> Agent:
    """``Class(rules)`` of a module; whatever goes wrong on the way is told in one line."""
    try:
        found = getattr(importlib.import_module(module), cls, None)
    except Exception as error:
        raise AgentError(f"agent: {name!r}: module {module} cannot be imported ({_told(error)})") from error
    if not isinstance(found, type):
        raise AgentError(f"agent: {name!r}: module {module} has no class {cls}")
    try:
        agent = found(rules)
    except Exception as error:
        raise AgentError(f"agent: {name!r}: {cls}(rules) failed ({_told(error)})") from error
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"agent: {name!r}: class {cls} has no method act(views)")
    return cast(Agent, agent)


def _told(error: Exception) -> str:
    """An error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
