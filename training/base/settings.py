"""The settings of a configuration, as help and errors show them: what each one means, what it allows, its default."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated, Any, get_type_hints

from pydantic import Field
from pydantic.fields import FieldInfo

from buck_env.base.allowed import InWords, allowed_by
from buck_env.base.yaml import in_yaml
from buck_env.game.rules import Rules

__all__ = ["AgentName", "Folder", "Setting", "named_rules", "settings_of"]

AgentName = Annotated[str, InWords("an agent's name", "agents' names")]
Folder = Annotated[str, Field(min_length=1), InWords("a folder")]
named_rules = InWords("a profile, a shipped house rule, a YAML file, or a mapping with a base")
"""Marks a setting that names rules."""


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


def settings_of(kind: type[Any]) -> dict[str, Setting]:
    """Every setting of a configuration by name, section by section in the order in which its class declares them.

    A configuration is a pydantic dataclass with `sections`, which names the first field of each section.
    """
    hints = get_type_hints(kind, include_extras=True)
    meanings: dict[str, str] = {}
    for ancestor in reversed(kind.__mro__):
        described: dict[str, FieldInfo] = vars(ancestor).get("__pydantic_fields__", {})
        meanings |= {name: field.description for name, field in described.items() if field.description}
    defaults = kind()
    section, settings = "", {}
    for name in (field.name for field in fields(kind)):
        section = kind.sections.get(name, section)
        meaning = " ".join(meanings.get(name, "").split())
        default = getattr(defaults, name)
        shown = default.name if isinstance(default, Rules) else in_yaml(default)
        settings[name] = Setting(name, section, meaning, allowed_by(hints[name]), shown)
    return settings
