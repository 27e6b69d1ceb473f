"""Agent strings as trees: a name of a kind, and the names that it is made of.

``phases:stay=ppo:runs/b,else=mine.yaml:base`` is a name with two parts, and the second has one part of its own: the
name that the file gives for ``base``. Whatever looks into an agent string walks this tree.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from agents.naming.kinds import KINDS, NICKNAME, PHASES, SEARCH, Kind, allowed_forms
from agents.naming.nicknames import Nicknames
from agents.search.budget import split_search
from buck_env.base.errors import shortened
from buck_env.base.yaml import meant
from buck_env.observation.agent import AgentError

__all__ = ["ELSE", "AgentName", "Part", "parse", "phases_name", "runs_code"]

ELSE = "else"
"""Stands for all phases that no other part of a name decides."""


class Part(NamedTuple):
    """A name within a name."""

    phases: tuple[str, ...]
    """The phases that its agent decides, or `ELSE` alone."""
    agent: AgentName


@dataclass(frozen=True)
class AgentName:
    """An agent string, read."""

    text: str
    """The string, which can be read again from anywhere: nicknames within a file carry their file."""
    kind: Kind
    argument: str
    """What follows the prefix of its kind; the whole string where the kind has no prefix."""
    parts: tuple[Part, ...] = ()


def parse(text: object) -> AgentName:
    """The tree of an agent string. AgentError says what is wrong with it and what is allowed.

    Files of nicknames are read; nothing else is looked up, so that a bot that is named may not exist.
    """
    try:
        return _parse(text, None, ())
    except RecursionError:
        raise AgentError(f"agent: {shortened(str(text))!r} is nested too deeply") from None


def runs_code(name: str) -> bool:
    """Whether loading the agent of a name runs code that is not this package's: a program, or a class of its own.

    Parts and nicknames are looked into. AgentError where the name cannot be read.
    """
    return _runs_code(parse(name))


def phases_name(parts: tuple[Part, ...]) -> str:
    """The agent string of an agent made of parts."""
    return PHASES.prefix + ",".join(f"{'+'.join(part.phases)}={part.agent.text}" for part in parts)


def _runs_code(name: AgentName) -> bool:
    return name.kind.runs_code or any(_runs_code(part.agent) for part in name.parts)


def _parse(text: object, nicknames: Nicknames | None, within: tuple[str, ...]) -> AgentName:
    """The tree of a string, which in a file of nicknames may be one of them; `within` are those that led here."""
    if not isinstance(text, str):
        raise AgentError(f"agent: {text!r} is not known; allowed: {allowed_forms()}")
    if not text.isprintable():
        raise AgentError(f"agent: {text!r} cannot be printed; allowed: names that can be, as in ppo:runs/mine")
    if nicknames and text in nicknames:
        return _nickname(nicknames, text, within)
    kind = next((kind for kind in KINDS if kind.fits(text)), None)
    if kind is None:
        near = _bot_in(Path(text)) or meant(text, [kind.form for kind in KINDS])
        raise AgentError(f"agent: {text!r} is not known{near}; allowed: {allowed_forms()}")
    argument = text.removeprefix(kind.prefix)
    if not argument.strip():
        raise AgentError(f"agent: {text!r} names nothing; allowed: {kind.form}, as in {kind.example}")
    if kind is NICKNAME:
        file, _, name = text.partition(":")
        return _nickname(Nicknames(file), name, ())
    if kind is SEARCH:
        named = split_search(argument).bot
        bot = Part((ELSE,), _parse(named, nicknames, within))
        text = f"{kind.prefix}{bot.agent.text}{argument.removeprefix(named)}"
        return AgentName(text, kind, text.removeprefix(kind.prefix), (bot,))
    if kind is PHASES:
        parts = tuple(_part(text, part, nicknames, within) for part in argument.split(","))
        text = phases_name(parts)
        return AgentName(text, kind, text.removeprefix(kind.prefix), parts)
    return AgentName(text, kind, argument)


def _bot_in(folder: Path) -> str:
    """What to add to an error about the bare name of a folder: the agent in it, where it holds one."""
    from agents.bots.bot import MANIFEST_FILE
    from agents.bots.bundle_files import MODEL_FILE
    from agents.cfr.bot import FORMAT

    with suppress(OSError, ValueError):  # no name that a file can have, or one that cannot be read
        manifest = (folder / MANIFEST_FILE).read_bytes()
        kind = "onnx" if (folder / MODEL_FILE).is_file() else "cfr" if FORMAT.encode() in manifest else "ppo"
        return f"; is {kind}:{folder} meant?"
    return ""


def _part(whole: str, text: str, nicknames: Nicknames | None, within: tuple[str, ...]) -> Part:
    """One of the parts of ``phases:PHASE+PHASE=AGENT,…,else=AGENT``; parts written out have no parts."""
    phases, equals, name = text.partition("=")
    if not equals or not name:
        raise AgentError(f"agent: {whole}: {text!r} is not PHASE+PHASE=AGENT")
    return Part(tuple(phases.split("+")), _parse(name, nicknames, within))


def _nickname(nicknames: Nicknames, name: str, within: tuple[str, ...]) -> AgentName:
    """A nickname of a file: its one part is what the file says."""
    if name in within:
        raise AgentError(f"agent: {nicknames.file}: {name} is named by itself: {' → '.join((*within, name))}")
    named = _parse(nicknames[name], nicknames, (*within, name))
    text = f"{nicknames.file}:{name}"
    return AgentName(text, NICKNAME, text, (Part((ELSE,), named),))
