"""YAML configurations into typed dataclasses, with overrides from the command line."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar

from pydantic import ValidationError

from buck_env.base.errors import BuckError
from buck_env.base.yaml import meant, no_such_key, parse_yaml, read_yaml

__all__ = ["CLUSTER", "ConfigError", "configs_folder", "find_config", "load_config", "named_values", "shipped_configs"]

CLUSTER = r"^(auto|local|[^:/]+:[0-9]+)$"
"""The addresses of a Ray cluster that are allowed, as a regular expression."""

T = TypeVar("T")


class ConfigError(BuckError):
    """A configuration that cannot be read, or says what is not allowed."""


def configs_folder() -> Path:
    """The configurations that ship with this project: beside the packages in a checkout, inside one in a wheel."""
    here = Path(__file__).resolve().parent.parent
    return next((path for path in (here / "configs", here.parent / "configs") if path.is_dir()), here / "configs")


def find_config(name: str, kind: str) -> Path:
    """A YAML file by its path, or a shipped one of a kind (`train`, `ppo`, `tournaments`, `rules`) by its name."""
    if Path(name).is_file():
        return Path(name)
    shipped = configs_folder() / kind / f"{name}.yaml"
    if shipped.is_file():
        return shipped
    known = list(shipped_configs(kind))
    raise ConfigError(
        f"{name}: no such file, nor a shipped configuration{meant(name, known)}; shipped: {', '.join(known)}"
    )


def shipped_configs(kind: str) -> dict[str, str]:
    """The shipped configurations of a kind by their names, and what each is for: the first comment of its file."""
    paths = sorted((configs_folder() / kind).glob("*.yaml"))
    return {path.stem: path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ") for path in paths}


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
    known = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    for key, value in values.items():
        if key not in known:
            raise ConfigError(no_such_key(places[key], key, value, known))
    try:
        return kind(**values)
    except ValidationError as error:
        raise ConfigError("; ".join(_explain(places, e) for e in error.errors())) from None


def _explain(places: dict[str, str], error: Any) -> str:
    key = ".".join(map(str, error["loc"])) or "configuration"
    place = places.get(str(error["loc"][0]) if error["loc"] else "", "defaults")
    what = error["msg"].removeprefix("Value error, ")
    if error["type"] == "list_type" and isinstance(error["input"], str):
        what = f"a list is needed, as in {key}=[{error['input']}]"
    return f"{place}: {key}: {error['input']!r} is not allowed: {what}" if error["loc"] else what
