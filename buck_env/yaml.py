"""YAML files read safely: no code, no duplicate keys, and errors that name file and line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from buck_env.errors import BuckError

__all__ = ["parse_yaml", "read_yaml"]


def parse_yaml(text: str, where: str) -> Any:
    """The value of a YAML text; BuckError names `where` and the line of a fault."""
    try:
        return YAML(typ="safe", pure=True).load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f", line {mark.line + 1}" if mark else ""
        problem = (error.problem or error.context or "is not YAML").splitlines()[0]
        raise BuckError(f"{where}{line}: {problem}") from None
    except (YAMLError, ValueError) as error:
        raise BuckError(f"{where}: not a YAML text: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise BuckError(f"{where}: nested too deeply") from None


def read_yaml(path: Path) -> dict[str, Any]:
    """The mapping that a YAML file holds; BuckError for a file that is missing, malformed or no mapping."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BuckError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    value = parse_yaml(text, str(path))
    if not isinstance(value, dict) or not all(isinstance(key, str) for key in value):
        raise BuckError(f"{path}: holds {type(value).__name__}, not a mapping of `key: value` lines")
    return value
