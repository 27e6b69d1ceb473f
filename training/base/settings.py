"""The settings of a configuration, as help shows them: what each one means, what it allows, and its default."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter
from pydantic.fields import FieldInfo

from buck_env import Rules

__all__ = ["Setting", "settings_of"]


@dataclass(frozen=True)
class Setting:
    """One field of a configuration."""

    name: str
    section: str
    """The heading under which help lists it."""
    meaning: str
    """The field's docstring."""
    allowed: str
    """The values it takes, in words."""
    default: str
    """Its default, as YAML."""


def settings_of(kind: type[Any]) -> list[Setting]:
    """Every setting of a configuration, section by section in the order in which its class declares them.

    A configuration is a pydantic dataclass with `sections`, which names the first field of each section.
    """
    hints = get_type_hints(kind, include_extras=True)
    meanings: dict[str, str] = {}
    for ancestor in reversed(kind.__mro__):
        described: dict[str, FieldInfo] = vars(ancestor).get("__pydantic_fields__", {})
        meanings |= {name: field.description for name, field in described.items() if field.description}
    defaults = kind()
    section, settings = "", []
    for name in (field.name for field in fields(kind)):
        section = kind.sections.get(name, section)
        meaning = " ".join(meanings.get(name, "").split())
        default = _yaml(getattr(defaults, name))
        settings.append(Setting(name, section, meaning, _allowed(hints[name]), default))
    return settings


def _yaml(value: Any) -> str:
    """A value as YAML in one line."""
    if isinstance(value, Rules):
        return value.name
    if isinstance(value, str | Path):
        return str(value)
    return json.dumps(value)


def _allowed(hint: Any) -> str:
    """What a type admits, in words."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _limited(_allowed(parts[0]), hint)
    if origin in (Union, UnionType):
        return ", or ".join(_allowed(part) for part in parts)
    if origin is Literal:
        return _either([str(part) for part in parts])
    if origin is list:
        return f"a list of {_plural(parts[0])}"
    if origin is dict:
        return "a mapping"
    return _WORDS[hint]


_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    Path: "a folder",
    Rules: "a profile, a YAML file or a mapping with a base",
    NoneType: "null",
}


def _limited(words: str, hint: Any) -> str:
    """A type in words and its limits: "a whole number from 1 to 256"."""
    schema = TypeAdapter(hint).json_schema()
    low, high = schema.get("minimum"), schema.get("maximum")
    above, below = schema.get("exclusiveMinimum"), schema.get("exclusiveMaximum")
    if low is not None and high is not None:
        return f"{words} from {_number(low)} to {_number(high)}"
    limits = [
        f"{word} {_number(limit)}"
        for word, limit in (("of at least", low), ("above", above), ("up to", high), ("below", below))
        if limit is not None
    ]
    return " ".join([words, " and ".join(limits)]) if limits else words


def _number(limit: float) -> str:
    return "2^63" if limit == 2**63 else f"{int(limit) if limit == int(limit) else limit:,}"


def _plural(hint: Any) -> str:
    if get_origin(hint) is Literal:
        return f"the words {', '.join(map(str, get_args(hint)))}"
    return _allowed(hint).replace("a whole number", "whole numbers").replace("a text", "texts")


def _either(words: list[str]) -> str:
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
