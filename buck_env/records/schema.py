"""The form of hand records, one JSON object a line: read and write them, and say what is no record and why."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any, NotRequired

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from buck_env.base.errors import RecordError, RulesError, shortened
from buck_env.game.house import load_rules
from buck_env.game.rules import PROFILES, Rules

__all__ = ["HandRecord", "MatchPlace", "Result", "Step", "parse_record", "read_records", "rules_of", "write_records"]

_STRICT = ConfigDict(extra="forbid", strict=True)
_Whole = Annotated[int, Field(ge=-(2**31), lt=2**31)]


def _encodable(text: str) -> str:
    """A text as it is; ValueError where lone surrogates keep it out of any file."""
    text.encode()
    return text


@with_config(_STRICT)
class Step(TypedDict):
    """One decision; a view shows `legal` only on its own seat's steps (RULES §14.2)."""

    seat: int
    phase: str
    legal: NotRequired[list[str]]
    action: str


@with_config(_STRICT)
class Result(TypedDict):
    """How a hand ended (RULES §14.3)."""

    redeal: bool
    maker: int | None
    trump: str | None
    stayed: list[bool]
    tricks: list[int]
    deltas: list[_Whole]
    scores: list[_Whole]
    winners: list[int]


@with_config(_STRICT)
class MatchPlace(TypedDict):
    """Which hand of which match, counted from 0, redeals included (RULES §14.5)."""

    id: Annotated[str, AfterValidator(_encodable)]
    hand: int


@with_config(_STRICT)
class HandRecord(TypedDict):
    """One hand; in a seat's view what it does not see is None, and there is no result (RULES §14.1)."""

    rules: str | dict[str, Any]
    dealer: int
    scores: list[_Whole]
    hands: list[list[str] | None]
    rest: list[str | None]
    steps: list[Step]
    result: NotRequired[Result]
    match: NotRequired[MatchPlace]


_RECORD = TypeAdapter(HandRecord)


def read_records(path: str | Path) -> Iterator[tuple[str, HandRecord]]:
    """Each record of a JSON-lines file with its place, ``file:line``; RecordError says what is no record and why."""
    try:
        lines = Path(path).read_bytes().split(b"\n")
    except OSError as error:
        raise RecordError(f"{path}: cannot be read: {error.strerror}") from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            where = f"{path}:{number}"
            yield where, parse_record(line, where)


def parse_record(line: str | bytes, where: str = "record") -> HandRecord:
    """The record or view of one JSON text, its form checked, its cards not yet."""
    try:
        value = json.loads(line, object_pairs_hook=_no_twins)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{where}: not one JSON object: {error}") from None
    try:
        return _RECORD.validate_python(value)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "the line"
        fault = first["msg"].removeprefix("Value error, ")
        raise RecordError(f"{where}: {place}: {fault} (found {shortened(repr(first['input']))})") from None


def _no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if len(set(keys)) < len(keys):
        raise ValueError(f"key {next(k for k in keys if keys.count(k) > 1)!r} stands twice")
    return dict(pairs)


def write_records(path: str | Path, records: Iterable[HandRecord]) -> None:
    """Add records to a file, one a line."""
    with open(path, "a", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record, separators=(",", ":")) + "\n")


def rules_of(record: HandRecord, where: str = "record") -> Rules:
    """The rules of a record: a profile's, or a mapping's; a record names no file."""
    source = record["rules"]
    if isinstance(source, str) and source not in PROFILES:
        raise RecordError(
            f"{where}: rules: {shortened(repr(source))} is no profile; allowed: {', '.join(PROFILES)}, or a mapping"
        )
    try:
        return load_rules(source)
    except RulesError as error:
        raise RecordError(f"{where}: {error}") from None
