"""Who sits down: agents, each named by a string.

random            a legal action drawn evenly
rules-v1          a hand-written player of every profile and house rule
pretrained:NAME   a trained network that comes with this package
ppo:FOLDER        a trained network of yours
onnx:FOLDER       a bundle that `buck export` wrote
phases:LIST       one agent a phase, as in phases:bid+name=ppo:runs/a,stay=ppo:runs/b,else=rules-v1
FILE.yaml:NAME    an agent that a YAML file names
cmd:COMMAND       a program in any language that answers JSON lines, as in cmd:node mybot.js
module:Class      a class of yours

The last two are the only agent strings that run code.
"""

from __future__ import annotations

import importlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, cast

from agents.programs.position import choose
from buck_env.base.errors import BuckError, told_of
from buck_env.game.house import RulesSource, load_rules
from buck_env.game.rules import Rules
from buck_env.game.table import PHASES
from buck_env.observation.agent import Agent, RandomAgent

if TYPE_CHECKING:
    from agents.programs.command import CommandSettings

__all__ = ["Agent", "AgentError", "choose", "load_agent", "load_part", "phases_of", "runs_code", "tally_of"]

_ALLOWED = (
    "random, rules-v1, pretrained:NAME, ppo:FOLDER, onnx:FOLDER, phases:LIST, FILE.yaml:NAME, cmd:COMMAND, module:Class"
)


class AgentError(BuckError):
    """An agent that does not exist or cannot be loaded."""


def load_agent(name: str, rules: RulesSource, programs: CommandSettings | None = None) -> Agent:
    """The agent of a name, ready for a game of these rules, able to decide every phase of it.

    The names are those of this package's docstring. ``module:Class`` imports the module and calls ``Class(rules)``,
    ``cmd:COMMAND`` runs a program, with what `programs` allows it: the only agent strings that run code. AgentError
    says in one line what is wrong and what is allowed.
    """
    rules = load_rules(rules)
    agent = load_part(name, rules, programs)
    missing = [phase for phase in rules.phases if phase not in phases_of(agent, rules)]
    if missing:
        from agents.naming.composite import composite_name

        whole = composite_name(phases_of(agent, rules), name, "rules-v1", rules)
        raise AgentError(f"agent: {name!r} has not learned {', '.join(missing)}; as in {whole}")
    return agent


def runs_code(name: str) -> bool:
    """Whether to load the agent of a name would run code that is not this package's: a program or a class of its own,
    also as a part or under a short name. AgentError where a short name cannot be looked up."""
    head, colon, tail = name.partition(":")
    if head == "phases" and colon:
        return any(runs_code(part.partition("=")[2]) for part in tail.split(","))
    if colon and Path(head).suffix in (".yaml", ".yml"):
        from agents.naming.nicknames import full_name

        return runs_code(full_name(Path(head), tail))
    return bool(colon) and head not in ("ppo", "pretrained", "onnx")


def phases_of(agent: Agent, rules: Rules) -> tuple[str, ...]:
    """The phases an agent can decide: all of the game's, unless it says otherwise in its `phases`."""
    return getattr(agent, "phases", rules.phases)


def tally_of(agent: Agent) -> Counter[str]:
    """The decisions and faults so far of the programs that an agent asks, by kind; empty where it asks none."""
    tally = getattr(agent, "tally", None)
    return Counter(tally) if isinstance(tally, Counter) else Counter()


def load_part(name: str, rules: Rules, programs: CommandSettings | None = None) -> Agent:
    """The agent of a name, able to decide at least the phases that `phases_of` tells."""
    head, colon, tail = name.partition(":") if isinstance(name, str) else ("", "", "")
    if not f"{head}{tail}".isprintable():
        raise AgentError(f"agent: {name!r} cannot be printed; allowed: names that can be, as in ppo:runs/mine")
    if name == "random":
        return RandomAgent(rules)
    if name == "rules-v1":
        from agents.rules_v1.player import RulesV1

        return RulesV1(rules)
    if head in ("ppo", "pretrained") and colon:
        from agents.bots.network import load_bot
        from agents.pretrained import pretrained_folder

        if not tail:
            raise AgentError(f"agent: {name!r} names no bot; allowed: ppo:FOLDER, pretrained:NAME")
        return cast(Agent, load_bot(pretrained_folder(tail) if head == "pretrained" else tail, rules))
    if head == "onnx" and colon:
        from agents.bots.onnx_bot import load_onnx

        if not tail:
            raise AgentError(f"agent: {name!r} names no bundle; allowed: onnx:FOLDER")
        return cast(Agent, load_onnx(tail, rules))
    if head == "cmd" and colon:
        from agents.programs.command import load_command

        return load_command(tail, rules, programs)
    if head == "phases" and colon:
        from agents.naming.composite import load_composite

        return load_composite(tail, rules, programs)
    if colon and Path(head).suffix in (".yaml", ".yml"):
        from agents.naming.nicknames import full_name

        return load_part(full_name(Path(head), tail), rules, programs)
    if colon and all(part.isidentifier() for part in head.split(".")) and tail.isidentifier():
        return _load_class(name, head, tail, rules)
    raise AgentError(f"agent: {name!r} is not known; allowed: {_ALLOWED}")


def _load_class(name: str, module: str, cls: str, rules: Rules) -> Agent:
    """``Class(rules)`` of a module; whatever goes wrong on the way is told in one line."""
    try:
        found = getattr(importlib.import_module(module), cls, None)
    except (Exception, SystemExit) as error:
        raise AgentError(
            f"agent: {name!r}: module {module} cannot be imported: {told_of(error)}; put its folder on PYTHONPATH"
        ) from error
    if not isinstance(found, type):
        raise AgentError(f"agent: {name!r}: module {module} has no class {cls}")
    try:
        agent = found(rules)
    except (Exception, SystemExit) as error:
        raise AgentError(f"agent: {name!r}: {cls}(rules) failed ({told_of(error)})") from error
    if not callable(getattr(agent, "act", None)):
        raise AgentError(f"agent: {name!r}: class {cls} has no method act(views)")
    phases = getattr(agent, "phases", ())
    if not isinstance(phases, tuple | list) or any(phase not in PHASES for phase in phases):
        raise AgentError(f"agent: {name!r}: phases is {phases!r}; allowed: a tuple of {', '.join(PHASES)}")
    return cast(Agent, agent)
