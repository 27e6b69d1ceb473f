"""YAML files read safely: no code, no duplicate keys, and errors that name file and line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from buck_env.base.errors import BuckError, shortened

__all__ = ["in_yaml", "meant", "no_such_key", "parse_yaml", "quoted", "read_yaml"]


_LONGEST = 100_000


def _size(value: Any, limit: int) -> int:
    """How many values a value holds, counted no further than just above a limit."""
    open_values, count = [value], 0
    while open_values and count <= limit:
        count += 1
        found = open_values.pop()
        open_values += found.values() if isinstance(found, dict) else found if isinstance(found, list | set) else []
    return count


def parse_yaml(text: str, where: str) -> Any:
    """The value of a YAML text; BuckError names `where` and the line of a fault."""
    try:
        if len(text) > _LONGEST:
            raise BuckError(f"{where}: is longer than {_LONGEST:,} characters")
        value = YAML(typ="safe", pure=True).load(text)
        if _size(value, _LONGEST) > _LONGEST:
            raise BuckError(f"{where}: aliases blow it up to more than {_LONGEST:,} values")
        return value
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f", line {mark.line + 1}" if mark else ""
        problem = (error.problem or error.context or "is not YAML").splitlines()[0]
        raise BuckError(f"{where}{line}: {problem}") from None
    except BuckError:
        raise
    except (YAMLError, ValueError, LookupError, TypeError) as error:  # what tags like !!int make of other values
        raise BuckError(f"{where}: not a YAML text: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise BuckError(f"{where}: nested too deeply") from None


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping that a YAML file holds; BuckError for a file that is missing, malformed or no mapping."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise BuckError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    value = parse_yaml(text, str(path))
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        found = "nothing" if value is None else shortened(quoted(value))
        raise BuckError(f"{path}: holds {found}; allowed: a mapping, in lines of `key: value`")
    return value


def in_yaml(value: object) -> str:
    """A value as YAML in one line: ``true``, ``null``, ``[pass, order]``."""
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{in_yaml(key)}: {in_yaml(part)}' for key, part in value.items())}}}"
    if isinstance(value, list | tuple | set):
        return f"[{', '.join(map(in_yaml, value))}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "null" if value is None else str(value)


def quoted(value: object) -> str:
    """A value for an error: as YAML, a text between quotation marks."""
    return repr(value) if isinstance(value, str) else in_yaml(value)


def no_such_key(where: str, key: str, value: object, known: Sequence[str]) -> str:
    """What is wrong with a key of a mapping that is none of those known."""
    near = meant(key, known)
    return f"{where}: {key}: {quoted(value)} is set, but there is no such key{near}; allowed: {', '.join(known)}"


def meant(name: str, known: Sequence[str]) -> str:
    """What to add to an error about a name that is none of those known: which one is near, if any is."""
    close = get_close_matches(name, known, 1)
    return f"; is {close[0]} meant?" if close else ""
