"""Who sits down: agents, each named by a string.

random            a legal action drawn evenly
rules-v1          a hand-written player of every profile and house rule
pretrained:NAME   a trained network that comes with this package
ppo:FOLDER        a trained network of yours
onnx:FOLDER       a bundle that `buck export` wrote
phases:LIST       one agent a phase, as in phases:bid+name=ppo:runs/a,stay=ppo:runs/b,else=rules-v1
FILE.yaml:NAME    an agent that a YAML file names
module:Class      a class of yours; the only agent string that runs code
"""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import cast

from buck_env.agent import Agent, RandomAgent
from buck_env.errors import BuckError
from buck_env.rules import Rules, RulesSource, load_rules

__all__ = ["Agent", "AgentError", "load_agent", "load_part", "phases_of"]

_ALLOWED = "random, rules-v1, pretrained:NAME, ppo:FOLDER, onnx:FOLDER, phases:LIST, FILE.yaml:NAME, module:Class"


class AgentError(BuckError):
    """An agent that does not exist or cannot be loaded."""


def load_agent(name: str, rules: RulesSource) -> Agent:
    """The agent of a name, ready for a game of these rules, able to decide every phase of it.

    The names are those of this package's docstring; ``module:Class`` imports the module and calls ``Class(rules)``: the
    only agent string that runs code. AgentError says in one line what is wrong and what is allowed.
    """
    rules = load_rules(rules)
    agent = load_part(name, rules)
    missing = [phase for phase in rules.phases if phase not in phases_of(agent, rules)]
    if missing:
        raise AgentError(
            f"agent: {name!r} has not learned {', '.join(missing)}; "
            f"as in phases:{'+'.join(phases_of(agent, rules))}={name},else=rules-v1"
        )
    return agent


def phases_of(agent: Agent, rules: Rules) -> tuple[str, ...]:
    """The phases an agent can decide: all of the game's, unless it says otherwise in its `phases`."""
    return getattr(agent, "phases", rules.phases)


def load_part(name: str, rules: Rules) -> Agent:
    """The agent of a name, able to decide at least the phases that `phases_of` tells."""
    head, colon, tail = name.partition(":") if isinstance(name, str) else ("", "", "")
    if name == "random":
        return RandomAgent(rules)
    if name == "rules-v1":
        from agents.rules_v1 import RulesV1

        return RulesV1(rules)
    if head in ("ppo", "pretrained") and colon:
        from agents.network import load_bot
        from agents.pretrained import pretrained_folder

        if not tail:
            raise AgentError(f"agent: {name!r} names no bot; allowed: ppo:FOLDER, pretrained:NAME")
        return cast(Agent, load_bot(pretrained_folder(tail) if head == "pretrained" else tail, rules))
    if head == "onnx" and colon:
        from agents.onnx_bot import load_onnx

        if not tail:
            raise AgentError(f"agent: {name!r} names no bundle; allowed: onnx:FOLDER")
        return cast(Agent, load_onnx(tail, rules))
    if head == "phases" and colon:
        from agents.composite import load_composite

        return load_composite(tail, rules)
    if colon and Path(head).suffix in (".yaml", ".yml"):
        from agents.nicknames import full_name

        return load_part(full_name(Path(head), tail), rules)
    if colon and all(part.isidentifier() for part in head.split(".")) and tail.isidentifier():
        return _load_class(name, head, tail, rules)
    raise AgentError(f"agent: {name!r} is not known; allowed: {_ALLOWED}")


def _load_class(name: str, module: str, cls: str, rules: Rules) -> Agent:
    """``Class(rules)`` of a module; whatever goes wrong on the way is told in one line."""
    try:
        found = getattr(importlib.import_module(module), cls, None)
    except (Exception, SystemExit) as error:
        raise AgentError(
            f"agent: {name!r}: module {module} cannot be imported: {_told(error)}; put its folder on PYTHONPATH"
        ) from error
    if not isinstance(found, type):
        raise AgentError(f"agent: {name!r}: module {module} has no class {cls}")
    try:
        agent = found(rules)
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent: {name!r}: {cls}(rules) failed ({_told(error)})") from error
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"agent: {name!r}: class {cls} has no method act(views)")
    return cast(Agent, agent)


def _told(error: BaseException) -> str:
    """An error in one line."""
    return " ".join(f"{type(error).__name__}: {error}".split())
