"""The kinds of agents: one table, from which loading, help, error messages and README's table come.

Importing it loads nothing but this file: what a kind needs is imported when an agent of it is loaded.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from agents.programs.settings import CommandSettings
    from buck_env.game.rules import Rules
    from buck_env.observation.agent import Agent

__all__ = ["KINDS", "NICKNAME", "PHASES", "SEARCH", "Kind", "allowed_forms", "markdown_table"]


class Loader(Protocol):
    """Loads an agent from what its name says after the prefix."""

    def __call__(self, argument: str, rules: Rules, programs: CommandSettings | None) -> Agent: ...


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One kind of agent, by the form of its names."""

    form: str
    """How a name of this kind is written: ``prefix:PLACEHOLDER``, or a word as it is."""
    meaning: str
    """What such an agent is, in one line."""
    example: str
    """A name of this kind."""
    load: Loader | None
    """Loads one; None for a kind whose names are made of other names."""
    runs_code: bool = False
    """Whether loading one runs code that is not this package's."""
    extra: str = ""
    """The extra of this package that it needs."""
    pattern: str = ""
    """A regular expression for names that no prefix tells apart."""

    @property
    def prefix(self) -> str:
        """What names of this kind begin with, its colon included; empty where they have no prefix."""
        head, colon, _ = self.form.partition(":")
        return "" if self.pattern or not colon else head + colon

    def fits(self, name: str) -> bool:
        """Whether a name is of this kind."""
        if self.pattern:
            return re.fullmatch(self.pattern, name) is not None
        return name.startswith(self.prefix) if self.prefix else name == self.form


def _random(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    from buck_env.observation.agent import RandomAgent

    return RandomAgent(rules)


def _rules_v1(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    from agents.rules_v1.player import RulesV1

    return RulesV1(rules)


def _pretrained(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    from agents.bots.network import load_bot
    from agents.pretrained import pretrained_folder

    return load_bot(pretrained_folder(argument), rules)


def _pretrained_for(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    return _pretrained(rules.name, rules, programs)


def _pimc(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    from agents.search.budget import budget
    from agents.search.look_ahead import LookAhead
    from agents.search.playouts import SolvedPlayouts

    return LookAhead(rules, budget(argument), SolvedPlayouts(rules))


def _ismcts(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    from agents.search.budget import budget
    from agents.search.ismcts import ISMCTS

    return ISMCTS(rules, budget(argument))


def _network(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    from agents.bots.network import load_bot

    return load_bot(argument, rules)


def _cfr(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    from agents.cfr.agent import load_cfr

    return load_cfr(argument, rules)


def _onnx(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    from agents.bots.onnx_bot import load_onnx

    return load_onnx(argument, rules)


def _command(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    from agents.programs.command import load_command

    return load_command(argument, rules, programs)


def _class(argument: str, rules: Rules, programs: CommandSettings | None) -> Agent:
    from agents.naming.classes import load_class

    return load_class(argument, rules)


PHASES = Kind(
    form="phases:LIST",
    meaning="one agent for each phase",
    example="phases:bid+name=ppo:runs/a,stay=ppo:runs/b,else=rules-v1",
    load=None,
)
NICKNAME = Kind(
    form="FILE.yaml:NAME",
    meaning="the agent that a YAML file calls NAME, in a line such as `dropper: phases:stay=ppo:runs/b,else=rules-v1`",
    example="mine.yaml:dropper",
    load=None,
    pattern=r"[^:]*\.ya?ml:.*",
)

SEARCH = Kind(
    form="search:BOT,N",
    meaning="a bot that looks ahead in N deals which fit what it knows, drawn and played on as it would itself decide; "
    "`20ms` in place of N is a time, and phases after it, as in `search:rules-v1,200,stay`, are all that is searched",
    example="search:pretrained,200",
    load=None,
)

KINDS = (
    Kind(form="random", meaning="draws a legal action evenly", example="random", load=_random),
    Kind(
        form="rules-v1",
        meaning="a compiled, hand-written player of every profile and house rule",
        example="rules-v1",
        load=_rules_v1,
    ),
    Kind(
        form="pretrained:NAME",
        meaning="a trained network that comes with this package, named by its rules",
        example="pretrained:ohio",
        load=_pretrained,
    ),
    Kind(
        form="pretrained",
        meaning="the one of them that was trained for the rules at hand",
        example="pretrained",
        load=_pretrained_for,
    ),
    Kind(
        form="ppo:FOLDER",
        meaning="a trained network of yours; `@sampled` after the folder draws its actions",
        example="ppo:runs/mine",
        load=_network,
    ),
    Kind(
        form="cfr:FOLDER",
        meaning="a strategy for making trump and staying, learned by regret minimisation; `rules-v1` plays the cards",
        example="cfr:runs/mine",
        load=_cfr,
    ),
    Kind(
        form="onnx:FOLDER",
        meaning="a bundle: a network as ONNX, made by `buck export` or by anyone",
        example="onnx:bundles/mine",
        load=_onnx,
        extra="onnx",
    ),
    Kind(
        form="pimc:N",
        meaning="solves N deals which fit what it knows, all hands open, and takes what is best on average; "
        "before the play `rules-v1` decides as far as it",
        example="pimc:100",
        load=_pimc,
    ),
    Kind(
        form="ismcts:N",
        meaning="information-set Monte Carlo tree search of N iterations, knowing nothing but the rules",
        example="ismcts:1000",
        load=_ismcts,
    ),
    SEARCH,
    PHASES,
    NICKNAME,
    Kind(
        form="cmd:COMMAND",
        meaning="a program in any language that answers JSON lines",
        example="cmd:node mybot.js",
        load=_command,
        runs_code=True,
    ),
    Kind(
        form="module:Class",
        meaning="a class of yours: the module is imported and `Class(rules)` called",
        example="my_bots:Lowest",
        load=_class,
        runs_code=True,
        pattern=r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*",
    ),
)
"""A name is of the first kind that it fits."""


def allowed_forms() -> str:
    """The forms of all names, for an error message."""
    return ", ".join(kind.form for kind in KINDS)


def markdown_table() -> str:
    """The table of agents/README.md."""
    rows = ["| name | what it is | example |", "|---|---|---|"]
    for kind in KINDS:
        needs = f"; needs the extra `{kind.extra}`" if kind.extra else ""
        code = ". **Runs code**" if kind.runs_code else ""
        rows.append(f"| `{kind.form}` | {kind.meaning}{needs}{code} | `{kind.example}` |")
    return "\n".join(rows) + "\n"
