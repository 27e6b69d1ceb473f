"""A trained bot on disk: a folder with `bot.json`, which says what it is, and the weights file that it names.

Both are written beside what is there and take its place at once, so that a reader sees the old bot or the new one.
Reading never runs code: JSON and safetensors hold none.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

import numpy as np
from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic.dataclasses import dataclass
from safetensors import SafetensorError
from safetensors.numpy import load as parse_weights
from safetensors.numpy import save as format_weights

from buck_env import (
    ACTIONS_VERSION,
    ENVIRONMENT,
    OBSERVATION_VERSION,
    RULES_VERSION,
    BuckError,
    Rules,
    RulesError,
    load_rules,
)
from buck_env.base.files import replace_file

__all__ = [
    "MANIFEST_FILE",
    "Bot",
    "BotError",
    "Stamps",
    "check_rules",
    "read_bot",
    "read_manifest",
    "read_weights",
    "write_bot",
    "write_manifest",
]

MANIFEST_FILE = "bot.json"
FORMAT = "buck-euchre-bot-v1"
T = TypeVar("T")


class BotError(BuckError):
    """A bot that is not there, is damaged, or was made for something else."""


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class Stamps:
    """What every manifest begins with. One whose stamps are not those of this version is not read."""

    format: str
    environment: str = ENVIRONMENT
    rules_version: int = RULES_VERSION
    observation_version: int = OBSERVATION_VERSION
    actions_version: int = ACTIONS_VERSION


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class Bot(Stamps):
    """What `bot.json` says."""

    format: str = FORMAT
    rules: dict[str, Any]
    """The rules in full, every field."""
    canonical: bool
    """Whether the network sees relabelled suits."""
    objective: Literal["points", "win"]
    """What it plays for: points a hand, scores out of view, or the share of the match."""
    phases: list[str]
    """The phases it learned to decide."""
    hidden: list[int]
    """The widths of its hidden layers."""
    seed: int
    decisions: int
    """Decisions it learned from,"""
    seconds: float
    """the wall time that took,"""
    cores: int
    """and the cores there were."""
    curve: list[dict[str, Any]]
    """Its evaluations while it learned."""
    config: dict[str, Any]
    """The training configuration in full."""
    weights: str
    """The weights file, in the same folder."""
    sha256: str
    """Its checksum."""


def write_bot(folder: Path, weights: Mapping[str, np.ndarray], **facts: Any) -> Bot:
    """Write a bot into a folder; `facts` are the fields of `Bot` that are not settled by the weights."""
    return write_manifest(folder, Bot, weights, **facts)


def write_manifest(folder: Path, kind: type[T], weights: Mapping[str, np.ndarray], **facts: Any) -> T:
    """Write weights and their manifest, the dataclass `kind` with the fields `weights` and `sha256`; the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    data = format_weights({name: np.ascontiguousarray(array) for name, array in weights.items()})
    checksum = hashlib.sha256(data).hexdigest()
    name = f"weights-{checksum[:12]}.safetensors"
    manifest = kind(**{"weights": name, "sha256": checksum, **facts})
    replace_file(folder / name, data)
    replace_file(folder / MANIFEST_FILE, json.dumps(asdict(cast(Any, manifest)), indent=1).encode())
    for old in folder.glob("weights-*.safetensors"):
        if old.name != name:
            old.unlink()
    return manifest


def read_bot(folder: str | Path, rules: Rules | None = None) -> tuple[Bot, dict[str, np.ndarray]]:
    """A bot and its weights; BotError says what is wrong: nothing there, damage, another version, other rules.

    Without rules it is taken for whatever rules it was trained for.
    """
    folder = Path(folder)
    bot = read_manifest(folder / MANIFEST_FILE, Bot, "a bot is a folder that `buck train` wrote", "train the bot again")
    check_rules(folder, bot.rules, rules)
    return bot, read_weights(folder, bot.weights, bot.sha256)


def read_manifest(manifest: Path, kind: type[T], what: str, mend: str) -> T:
    """A manifest, as the dataclass `kind`, stamped as `Bot` is.

    BotError says what is wrong; where there is no file it adds `what`, and for another version `mend`.
    """
    try:
        data = manifest.read_bytes()
        values = json.loads(data)
        for key in (stamp.name for stamp in fields(Stamps)):
            ours = getattr(kind, key)
            if values.get(key) != ours:
                raise BotError(f"{manifest}: {key} is {values.get(key)!r}, this version reads {ours!r}; {mend}")
        return TypeAdapter(kind).validate_json(data)
    except OSError as error:
        raise BotError(f"{manifest}: cannot be read: {error.strerror}; {what}") from None
    except ValidationError as error:
        first = error.errors()[0]
        raise BotError(f"{manifest}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        if isinstance(error, BotError):
            raise
        raise BotError(f"{manifest}: is not a bot's JSON: {error}") from None


def check_rules(folder: Path, theirs: str | dict[str, Any], rules: Rules | None) -> Rules:
    """The rules that a bot was trained for; BotError where they are not those asked for."""
    try:
        trained_for = load_rules(theirs)
    except RulesError as error:
        raise BotError(f"{folder / MANIFEST_FILE}: {error}") from None
    if rules is not None and trained_for != rules:
        raise BotError(f"{folder}: was trained for the rules {trained_for.name}, not for {rules.name}")
    return trained_for


def read_weights(folder: Path, name: str, sha256: str) -> dict[str, np.ndarray]:
    """The arrays of a manifest's weights file; BotError where it is not there, or not the one with that checksum."""
    path = folder / name
    if not re.fullmatch(r"[\w.-]+", name, re.ASCII):
        raise BotError(f"{folder / MANIFEST_FILE}: weights: {name!r} is not a file name")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BotError(f"{path}: cannot be read: {error.strerror}") from None
    if hashlib.sha256(data).hexdigest() != sha256:
        raise BotError(f"{path}: is not the file that {MANIFEST_FILE} names (checksum differs): truncated or exchanged")
    try:
        return parse_weights(data)
    except (SafetensorError, KeyError) as error:  # a KeyError is of a number type that numpy does not have
        raise BotError(f"{path}: is no safetensors file: {error}") from None
