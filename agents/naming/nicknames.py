"""Short names for agents, from a YAML file: ``dropper: phases:stay=ppo:runs/b,else=rules-v1``."""

from __future__ import annotations

import re
from pathlib import Path

from agents import AgentError
from buck_env.base.errors import BuckError
from buck_env.base.yaml import read_yaml

__all__ = ["full_name"]


def full_name(file: Path, name: str) -> str:
    """The agent string that a file gives for a name, names of the same file in it spelled out."""
    try:
        names = read_yaml(file)
    except BuckError as error:
        raise AgentError(f"agent: {error}") from None
    return _spelled_out(file, names, name, ())


def _spelled_out(file: Path, names: dict[str, object], name: str, within: tuple[str, ...]) -> str:
    if name in within:
        raise AgentError(f"agent: {file}: {name} is named by itself: {' → '.join((*within, name))}")
    text = names.get(name)
    if not isinstance(text, str):
        raise AgentError(f"agent: {file}: {name!r} names no agent; allowed: {', '.join(map(str, names))}")
    parts = re.split(r"([,=])", text) if text.startswith("phases:") else [text]
    return "".join(_spelled_out(file, names, part, (*within, name)) if part in names else part for part in parts)
