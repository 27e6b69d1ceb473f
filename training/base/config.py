"""YAML configurations into typed dataclasses, with overrides from the command line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from buck_env.base.errors import BuckError, SettingError
from buck_env.base.shipped import shipped_configs
from buck_env.base.yaml import meant, no_such_key, parse_yaml, quoted, read_yaml
from training.base.settings import settings_of

__all__ = ["CLUSTER", "ConfigError", "find_config", "load_config", "named_values"]

CLUSTER = r"^(auto|local|[^:/]+:[0-9]+)$"
"""The addresses of a Ray cluster that are allowed, as a regular expression."""

T = TypeVar("T")


class ConfigError(BuckError):
    """A configuration that cannot be read, or says what is not allowed."""


def find_config(name: str, kind: str) -> Path:
    """A YAML file by its path, or a shipped one of a kind (`train`, `ppo`, `tournaments`) by its name."""
    shipped = shipped_configs(kind)
    if Path(name).is_file():
        return Path(name)
    if name in shipped:
        return shipped[name]
    raise ConfigError(
        f"{name}: no such file, nor a shipped configuration{meant(name, [*shipped])}; shipped: {', '.join(shipped)}"
    )


def named_values(path: Path | None, overrides: Iterable[str] = ()) -> tuple[dict[str, Any], dict[str, str]]:
    """What a YAML file and ``key=value`` overrides say, by key, and where each key is given; ConfigError as below."""
    try:
        values = read_yaml(path) if path else {}
        places = {key: str(path) for key in values}
        for override in overrides:
            key, equals, text = override.partition("=")
            if not equals or not text.strip():
                raise ConfigError(f"{override!r}: an override is key=value, as in key=null where there is none")
            if places.get(key) == "override":
                raise ConfigError(f"override {override}: {key} is given twice")
            values[key] = parse_yaml(text, f"override {override}")
            places[key] = "override"
    except ConfigError:
        raise
    except BuckError as error:
        raise ConfigError(str(error)) from None
    return values, places


def load_config(kind: type[T], path: Path | None, overrides: Iterable[str] = ()) -> T:
    """A configuration of a dataclass: its defaults, then a YAML file, then ``key=value`` overrides, values as YAML.

    ConfigError names the place, the key, the value and what is allowed.
    """
    values, places = named_values(path, overrides)
    known = [*settings_of(kind)]
    for key, value in values.items():
        if key not in known:
            raise ConfigError(no_such_key(places[key], key, value, known))
    try:
        return kind(**values)
    except ValidationError as error:
        by_key = groupby(error.errors(), lambda e: e["loc"][:1])
        raise ConfigError("; ".join(_explain(kind, values, places, [*found]) for _, found in by_key)) from None


def _explain(kind: type[Any], values: Mapping[str, Any], places: Mapping[str, str], found: list[Any]) -> str:
    """What is wrong with one setting, from all that pydantic finds: of a union, that it is none of its members."""
    own = next((e["ctx"]["error"] for e in found if e["type"] == "value_error"), None)
    key = own.key if isinstance(own, SettingError) else str(found[0]["loc"][0])
    if own is None:
        allowed = settings_of(kind)[key].allowed
        if found[0]["type"] == "list_type" and isinstance(values[key], str):
            allowed += f", as in {key}=[{values[key]}]"
        own = SettingError(key, _fault(values[key], found), allowed)
    return f"{places.get(key, 'defaults')}: {own}"


def _fault(value: Any, found: list[Any]) -> str:
    """A value, or where only a part of it is wrong, the part in the value."""
    part = found[0]["input"]
    within = len(found) == 1 and isinstance(value, list | dict) and part is not value
    return f"{quoted(part)} in {quoted(value)}" if within else quoted(value)
