"""What results must say to be repeated: the versions and cores they were made with, and the bots' checksums."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

from agents.programs.command import CommandAgent
from buck_env import ACTIONS_VERSION, ENVIRONMENT, OBSERVATION_VERSION, RULES_VERSION, __version__
from buck_env.observation.agent import Agent, parts_of, sha256_of

__all__ = ["checksum_of", "code_of", "cores", "play_alike", "versions"]

_EARLIER = ("0.1.0",)
"""Packages that play as this one does, so that what they began can go on."""


def versions() -> dict[str, Any]:
    """The versions of the package, the environment, the rules, the observation and the actions."""
    return {
        "package": __version__,
        "environment": ENVIRONMENT,
        "rules": RULES_VERSION,
        "observation": OBSERVATION_VERSION,
        "actions": ACTIONS_VERSION,
    }


def play_alike(made_with: Any) -> bool:
    """Whether what was made with these `versions` would come out the same with those of this package."""
    ours = versions()
    if not isinstance(made_with, dict) or made_with.get("package") not in (*_EARLIER, ours["package"]):
        return False
    return {**made_with, "package": ours["package"]} == ours


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def checksum_of(agent: Agent) -> str | dict[str, Any] | None:
    """The sha256 of a bot's weights or model; of an agent with parts, that of each phase's; None without a file."""
    parts = {phase: checksum_of(part) for phase, part in parts_of(agent).items()}
    if parts:
        return parts if any(parts.values()) else None
    return sha256_of(agent)


def code_of(agent: Agent) -> dict[str, str]:
    """The sha256 of each file of code that is a user's: those that a program's command names, or the module of a class.

    What these in turn import, and the language they run in, are not looked at.
    """
    found: dict[str, str] = {}
    for part in parts_of(agent).values():
        found |= code_of(part)
    files = agent.files if isinstance(agent, CommandAgent) else [getattr(_module(agent), "__file__", None)]
    for file in files:
        if file and Path(file).is_file():
            found[str(file)] = hashlib.sha256(Path(file).read_bytes()).hexdigest()
    return found


def _module(agent: Agent) -> Any:
    """The module of an agent's class, if it is none of this project's."""
    name = type(agent).__module__
    return None if name.partition(".")[0] in ("agents", "buck_env", "training") else sys.modules.get(name)
