"""What a setting allows, in words, from the type that declares it: "a whole number from 1 to 256, or null"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

__all__ = ["InWords", "allowed_by"]


@dataclass(frozen=True)
class InWords:
    """Says itself what a type allows, as in ``Annotated[str, InWords("an agent's name", "agents' names")]``."""

    one: str
    several: str = ""
    """The words for the elements of a list."""


def allowed_by(hint: Any) -> str:
    """What a type allows, in words."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        mark = _in_words(hint)
        return mark.one if mark else _limited(_PLAIN[parts[0]].one, hint)
    if origin in (Union, UnionType):
        return ", or ".join(allowed_by(part) for part in parts)
    if origin is Literal:
        return _choice([str(part) for part in parts])
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _choice([str(member) for member in hint])
    if origin is list:
        return f"a list of {_several(parts[0])}"
    return _PLAIN[hint].one


_PLAIN = {
    bool: InWords("true or false"),
    int: InWords("a whole number", "whole numbers"),
    float: InWords("a number", "numbers"),
    str: InWords("a text", "texts"),
    Path: InWords("a folder", "folders"),
    NoneType: InWords("null"),
}


def _several(hint: Any) -> str:
    """The elements of a list, in words."""
    if get_origin(hint) is Literal:
        return f"the words {', '.join(map(str, get_args(hint)))}"
    if get_origin(hint) is Annotated:
        mark = _in_words(hint)
        return mark.several if mark else _limited(_PLAIN[get_args(hint)[0]].several, hint)
    return _PLAIN[hint].several


def _in_words(hint: Any) -> InWords | None:
    return next((mark for mark in get_args(hint)[1:] if isinstance(mark, InWords)), None)


def _limited(words: str, hint: Any) -> str:
    """A type in words and its limits: "a whole number from 1 to 256"."""
    limits: dict[type, Any] = {}
    for mark in get_args(hint)[1:]:
        for limit in mark.metadata if isinstance(mark, FieldInfo) else [mark]:
            match limit:
                case Ge(value) | Gt(value) | Le(value) | Lt(value):
                    limits[type(limit)] = value
    if Ge in limits and Le in limits:
        return f"{words} from {_number(limits[Ge])} to {_number(limits[Le])}"
    named = ((Ge, "of at least"), (Gt, "above"), (Le, "up to"), (Lt, "below"))
    bounds = " and ".join(f"{word} {_number(limits[kind])}" for kind, word in named if kind in limits)
    return f"{words} {bounds}" if bounds else words


def _number(limit: float) -> str:
    return "2^63" if limit == 2**63 else f"{int(limit) if limit == int(limit) else limit:,}"


def _choice(words: Sequence[str]) -> str:
    """One of some words: "up, down or across"."""
    return " or ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]
