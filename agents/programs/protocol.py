"""The protocol between a game and a program that plays: JSON objects, one a line; README.md describes them.

`command` is the game's end and `serve` the program's.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from buck_env.base.errors import BuckError
from buck_env.base.version import ACTIONS_VERSION, ENVIRONMENT, RULES_VERSION
from buck_env.game.rules import Rules

__all__ = [
    "LONGEST_ANSWER",
    "LONGEST_REQUEST",
    "PROTOCOL",
    "STAMPS",
    "ProtocolError",
    "format_line",
    "hello",
    "parse_line",
    "ready",
]

PROTOCOL: Final = "buck-euchre-command-v1"
LONGEST_ANSWER: Final = 4096
"""Bytes of a program's line; one that writes a longer line is at fault."""
LONGEST_REQUEST: Final = 2**20
"""Bytes of a game's line."""
STAMPS: Final = {
    "protocol": PROTOCOL,
    "environment": ENVIRONMENT,
    "rules_version": RULES_VERSION,
    "actions_version": ACTIONS_VERSION,
}
"""What the first line says of the game: both ends must agree."""


class ProtocolError(BuckError):
    """A line that does not belong to the protocol."""


def hello(rules: Rules) -> dict[str, Any]:
    """The game's first line."""
    return {**STAMPS, "rules": rules.as_dict()}


def ready(agent: str) -> dict[str, Any]:
    """The program's first line; more than `protocol` is its own affair."""
    return {"protocol": PROTOCOL, "agent": agent}


def format_line(message: Mapping[str, Any]) -> bytes:
    """A message as a line, its end included."""
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def parse_line(line: bytes) -> dict[str, Any]:
    """The JSON object of a line; ProtocolError where it holds none."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"not one JSON object: {error}") from None
    if not isinstance(value, dict):
        raise ProtocolError("not a JSON object")
    return value
