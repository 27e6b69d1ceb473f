"""The rules of a house: read from a name, a YAML file or a mapping, and explained field by field.

A mapping or a file names a profile as its `base` and adds what differs.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

from pydantic import ValidationError
from pydantic.fields import FieldInfo

from buck_env.base.allowed import allowed_by
from buck_env.base.errors import BuckError, RulesError, SettingError
from buck_env.base.shipped import shipped_configs
from buck_env.base.yaml import meant, no_such_key, quoted, read_yaml
from buck_env.game.rules import PROFILES, Rules

__all__ = ["RulesSource", "explain_fields", "load_rules"]

RulesSource = str | os.PathLike[str] | Mapping[str, Any] | Rules
"""The name of a profile or of a shipped house rule, a YAML file, a mapping with a `base`, or a `Rules`."""


def load_rules(source: RulesSource = "ohio") -> Rules:
    """The rules of a profile, a YAML file, a shipped house rule, a mapping with a `base`, or a `Rules`.

    RulesError names the file, the key, the value and what is allowed.

    RULES §15.2.
    """
    if isinstance(source, Rules):
        return source
    if isinstance(source, str) and source in PROFILES:
        return PROFILES[source]
    if isinstance(source, Mapping):
        return _derive(dict(source), "rules")
    shipped = shipped_configs("rules")
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        if not (path.suffix in (".yaml", ".yml") or _is_file(path)):
            path = shipped.get(str(source), path)
        if path.suffix in (".yaml", ".yml") or _is_file(path):
            try:
                return _derive(read_yaml(path), str(path))
            except RulesError:
                raise
            except BuckError as error:
                raise RulesError(str(error)) from None
    raise RulesError(
        f"rules: {quoted(source)} is not known{meant(str(source), [*PROFILES, *shipped])}; allowed: a profile "
        f"({', '.join(PROFILES)}), a shipped house rule ({', '.join(shipped)}), or a YAML file with a `base`"
    )


def explain_fields() -> dict[str, tuple[str, str]]:
    """Every field but `base`: what it admits, and what it means."""
    hints = get_type_hints(Rules, include_extras=True)
    described: Mapping[str, FieldInfo] = Rules.__pydantic_fields__  # type: ignore[attr-defined]
    return {
        name: (allowed_by(hints[name]), " ".join((field.description or "").split()))
        for name, field in described.items()
        if name != "base"
    }


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no name that a file can have
        return False


def _derive(values: dict[str, Any], where: str) -> Rules:
    if "base" not in values:
        raise RulesError(f"{where}: says no base; add a line, as in `base: ohio`; allowed: {', '.join(PROFILES)}")
    base = values.pop("base")
    if not isinstance(base, str) or base not in PROFILES:
        raise RulesError(f"{where}: base: {quoted(base)} is not a profile; allowed: {', '.join(PROFILES)}")
    known = [field.name for field in fields(Rules) if field.name != "base"]
    for key in values:
        if key not in known:
            raise RulesError(no_such_key(where, key, values[key], known))
    try:
        return Rules(**{**PROFILES[base].as_dict(), **values})
    except ValidationError as error:
        raise RulesError("; ".join(dict.fromkeys(f"{where}: {_explain(e)}" for e in error.errors()))) from None


def _explain(error: Any) -> str:
    if not error["loc"]:
        return str(error["ctx"]["error"])
    key = str(error["loc"][0])
    allowed = allowed_by(get_type_hints(Rules, include_extras=True)[key])
    return str(SettingError(key, quoted(error["input"]), allowed))
