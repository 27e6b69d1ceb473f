"""A position in a file: one decision of a seat, from that seat's view or from a hand record that ends at it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from agents.programs.position import parse_position, views_of
from buck_env.base.errors import RecordError
from buck_env.game.rules import Rules
from buck_env.observation.views import Views
from buck_env.records import parse_record, phase_text, replay, rules_of, table_from_view

__all__ = ["read_position"]

_LONGEST = 2**20
"""Bytes of a file with one position."""


def read_position(path: Path, rules: Rules | None = None, *, uniform: float = 0.5) -> Views:
    """The one decision of a file, or of the standard input where the path is ``-``; a batch of one.

    The file holds one JSON object: a position as programs are asked (``{"view": …}``), a seat's view, or a hand record
    whose steps end where a seat is to act. That seat's view is taken. Without `rules`, they are the record's.
    `uniform` is the decision's random number where the file gives none. RecordError says what is wrong.
    """
    where = "standard input" if str(path) == "-" else str(path)
    text = _read(path, where)
    value = _object(text, where)
    if "view" in value:
        position = parse_position(value, where)
    else:
        record = parse_record(text, where)
        if None not in record["hands"]:
            return _of_record(text, where, rules, uniform)
        position = parse_position({"view": value}, where)
    position.setdefault("uniform", uniform)
    if rules is None:
        rules = table_from_view(position["view"], where, position.get("hands_played", 0), position.get("reneged"))[0]
    return views_of(position, rules, where)


def _read(path: Path, where: str) -> bytes:
    try:
        if str(path) == "-":
            text = sys.stdin.buffer.read(_LONGEST + 1)
        else:
            with path.open("rb") as file:
                text = file.read(_LONGEST + 1)
    except OSError as error:
        raise RecordError(f"{where}: cannot be read: {error.strerror}") from None
    if len(text) > _LONGEST:
        raise RecordError(f"{where}: holds more than {_LONGEST} bytes, where one position is needed")
    return text


def _object(text: bytes, where: str) -> dict[str, Any]:
    lines = [line for line in text.split(b"\n") if line.strip()]
    if not lines:
        raise RecordError(f"{where}: is empty, where one JSON object is needed")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        if len(lines) > 1 and all(line.lstrip().startswith(b"{") for line in lines):
            raise RecordError(
                f"{where}: holds {len(lines)} lines, where one position is needed; "
                "a whole game goes through buck analyse --review"
            ) from None
        raise RecordError(f"{where}: not one JSON object: {error}") from None
    if not isinstance(value, dict):
        raise RecordError(f"{where}: not one JSON object but {type(value).__name__}")
    return value


def _of_record(text: bytes, where: str, rules: Rules | None, uniform: float) -> Views:
    """The decision at which a record with all hands open ends."""
    record = parse_record(text, where)
    own = rules_of(record, where)
    if rules is not None and own != rules:
        raise RecordError(f"{where}: is of the rules {own.name}, where {rules.name} is asked for")
    *_, table = replay(record, where, whole=False)
    if phase_text(table) == "over":
        raise RecordError(
            f"{where}: the hand is over; cut its steps off where a seat is to act, or give it to buck analyse --review"
        )
    return Views.at(own, table, np.array([uniform]))
