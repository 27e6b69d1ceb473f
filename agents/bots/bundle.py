"""A bot that leaves: a folder from which a program in any language can play it.

`model.onnx` is its network, `bot.json` tells all that a host must know, `samples.jsonl` holds positions by which a port
proves itself, and `SHA256SUMS` the checksums of the three, as ``sha256sum -c`` reads them. Reading runs no code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from agents.bots.bot import CARD_FILE, BotError, check_rules, read_card
from agents.bots.policy import Play
from buck_env import (
    ACTIONS,
    ACTIONS_VERSION,
    ENVIRONMENT,
    LAYOUT,
    NUM_ACTIONS,
    OBSERVATION_SIZE,
    OBSERVATION_VERSION,
    PIECES,
    RULES_VERSION,
    Rules,
    __version__,
)
from buck_env.base.files import replace_file

__all__ = [
    "INPUTS",
    "MODEL_FILE",
    "OUTPUTS",
    "SAMPLES_FILE",
    "SUMS_FILE",
    "Bundle",
    "LevelPoints",
    "Spread",
    "Strength",
    "read_bundle",
    "write_bundle",
]

MODEL_FILE = "model.onnx"
SAMPLES_FILE = "samples.jsonl"
SUMS_FILE = "SHA256SUMS"
FORMAT = "buck-euchre-bundle-v0"
LARGEST_FILE = 64 * 2**20
"""Bytes; a larger file of a bundle is refused unread."""

INPUTS = {"observation": ("int8", OBSERVATION_SIZE), "action_mask": ("int8", NUM_ACTIONS)}
OUTPUTS = {"log_probabilities": ("float32", NUM_ACTIONS), "value": ("float32",)}
"""Type and shape, after the symbolic batch, of what the model is given and gives."""

SUITS_RULE = """\
Suits C D H S: C and S are of one colour, D and H of the other; the two suits of a colour are each other's twins. \
Choose a first suit, and a second suit of the other colour. The first goes by C, its twin by S, the second by D, its \
twin by H; no-trump stays. Where a suit is trump, it is the first. Otherwise, where the rules have making: order, the \
suit of the turned card is the first. Otherwise it is the suit that would be worth most as trump to the cards that \
the viewer holds or has played: A 6, K 5, Q 4, J 10, T 3, 9 3, and the twin's J 8; equals are all tried. Of the \
labellings that are still possible, tried with the first suit in the order C D H S and within it the second, take the \
highest; of equals the one tried first. To compare two labellings, relabel by each of them, and let the first \
difference decide, in this order: the set of cards that the viewer holds or has played; the set that it holds; the \
set that it took up; the set that it laid down; its discards, one by one in order; the turned card; all cards played, \
one by one in order. Cards rank by suit, C D H S upwards, then by 9 T J Q K A; of two sets the higher has the highest \
card that is not in both."""
"""How suits are relabelled, for whoever writes it anew; `buck_env.observation.encode.canonical_suits` does it."""

_SUMMED = (CARD_FILE, MODEL_FILE, SAMPLES_FILE)
_STRICT = ConfigDict(extra="forbid", strict=True)
_Number = Annotated[float, Field(allow_inf_nan=False)]


@dataclass(frozen=True, kw_only=True, config=_STRICT)
class Spread:
    """A mean and its 95% interval, with one cluster a deal."""

    mean: _Number
    low: _Number
    high: _Number


@dataclass(frozen=True, kw_only=True, config=_STRICT)
class Strength:
    """What the bot does alone among others, in every seat of the same deals."""

    against: str
    """Who sits in the other seats: an agent's name, or a level of the same bot."""
    otherwise: str | None
    """Who took the decisions that the bot has not learned."""
    deals: int
    seed: int
    points: Spread
    """Its points a hand,"""
    edge: Spread
    """less the mean of the others',"""
    gain: Spread
    """and less what the others' agent scores in that seat of that deal."""


@dataclass(frozen=True, kw_only=True, config=_STRICT)
class LevelPoints:
    """One of the levels made from a bot, alone among each of the others."""

    level: str
    departs: float
    """The share of its choices in which it departs from the bot's likeliest action,"""
    temperature: float
    """and the temperature that brings this about."""
    deals: int
    seed: int
    points: Spread
    """Its points a hand."""


@dataclass(frozen=True, kw_only=True, config=_STRICT)
class Bundle:
    """What `bot.json` says."""

    format: str = FORMAT
    environment: str = ENVIRONMENT
    rules_version: int = RULES_VERSION
    observation_version: int = OBSERVATION_VERSION
    actions_version: int = ACTIONS_VERSION
    made_with: str = f"buck-euchre-rl {__version__}"
    license: str
    """The licence of the bot, as SPDX names it."""
    rules: dict[str, Any]
    """The rules in full, every field."""
    phases: list[str]
    """The phases it learned to decide."""
    objective: Literal["points", "win"]
    """What it plays for: points a hand, scores out of view, or the share of the match."""
    play: Play
    """How the host is to choose: the likeliest action, or one drawn by the probabilities."""
    level: str | None
    """The level of play it was weakened to."""
    temperature: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """What the model has divided its logits by."""
    precision: Literal["float32", "int8"]
    """Its weights, as they are stored."""
    inputs: dict[str, list[Any]] = Field(default_factory=lambda: _told_shapes(INPUTS))
    outputs: dict[str, list[Any]] = Field(default_factory=lambda: _told_shapes(OUTPUTS))
    """Name: type, then the shape with its batch."""
    observation: list[dict[str, Any]] = Field(default_factory=lambda: _pieces())
    """The pieces of an observation in order: name, start, shape, low, high, meaning."""
    canonical: bool
    """Whether the model sees relabelled suits,"""
    suits: str = SUITS_RULE
    """and how they are relabelled, in words."""
    actions: list[str] = Field(default_factory=lambda: list(ACTIONS))
    """The text of each action; in hand records a card carries its phase, as in play:9C or discard:9C."""
    provenance: dict[str, Any]
    """Where the weights come from."""
    strength: list[Strength] = Field(default_factory=list)
    """As far as it was measured,"""
    levels: list[LevelPoints] = Field(default_factory=list)
    """and beside the other levels of the same bot."""


def _pieces() -> list[dict[str, Any]]:
    """The pieces of an observation as a bundle tells them."""
    return [{"start": LAYOUT[piece.name].start, **piece._asdict()} | {"shape": list(piece.shape)} for piece in PIECES]


def _told_shapes(tensors: Mapping[str, tuple[Any, ...]]) -> dict[str, list[Any]]:
    return {name: [dtype, "batch", *shape] for name, (dtype, *shape) in tensors.items()}


# --- Writing ----------------------------------------------------------------------------------------------------------


def write_bundle(folder: Path, bundle: Bundle, model: bytes, samples: bytes) -> None:
    """Write or replace a bundle; BotError where the folder cannot be written."""
    card = json.dumps(asdict(bundle), indent=1, ensure_ascii=False).encode()
    files = dict(zip(_SUMMED, (card, model, samples), strict=True))
    sums = "".join(f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in files.items())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in {**files, SUMS_FILE: sums.encode()}.items():
            replace_file(folder / name, data)
    except OSError as error:
        raise BotError(f"{folder}: cannot be written: {error.strerror}; give another folder") from None


# --- Reading ----------------------------------------------------------------------------------------------------------


def read_bundle(folder: Path, rules: Rules | None = None) -> tuple[Bundle, bytes, bytes]:
    """What `bot.json` says, the model and the samples, the last two unread but their checksums right.

    Without rules a bundle of any rules will do. BotError says what is wrong: nothing there, truncated, exchanged, made
    under another version, for another layout, or for other rules.
    """
    files = {name: _read(folder / name) for name in (*_SUMMED, SUMS_FILE)}
    sums = _parsed_sums(folder / SUMS_FILE, files[SUMS_FILE])
    for name in _SUMMED:
        if hashlib.sha256(files[name]).hexdigest() != sums[name]:
            raise BotError(f"{folder / name}: checksum is not the one in {SUMS_FILE}: truncated or exchanged")
    card = folder / CARD_FILE
    bundle = read_card(card, Bundle, "a bundle is a folder that `buck export` wrote", "export the bot again")
    for key, theirs, ours in (
        ("inputs", bundle.inputs, _told_shapes(INPUTS)),
        ("outputs", bundle.outputs, _told_shapes(OUTPUTS)),
        ("actions", bundle.actions, list(ACTIONS)),
        ("observation", [_placed(piece) for piece in bundle.observation], [_placed(piece) for piece in _pieces()]),
    ):
        if theirs != ours:
            raise BotError(f"{card}: {key}: not as in this version; export the bot again")
    unknown = [phase for phase in bundle.phases if phase not in check_rules(folder, bundle.rules, rules).phases]
    if unknown or not bundle.phases:
        raise BotError(f"{card}: phases: {', '.join(unknown) or 'none'} is no phase of its rules")
    return bundle, files[MODEL_FILE], files[SAMPLES_FILE]


def _placed(piece: dict[str, Any]) -> dict[str, Any]:
    """A piece but for its meaning, whose wording is free."""
    return {key: value for key, value in piece.items() if key != "meaning"}


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise BotError(f"{path}: is larger than {LARGEST_FILE // 2**20} MiB; no bundle's file is")
        return path.read_bytes()
    except OSError as error:
        raise BotError(
            f"{path}: cannot be read: {error.strerror}; a bundle is a folder that `buck export` wrote, "
            f"with {', '.join(_SUMMED)} and {SUMS_FILE}"
        ) from None


def _parsed_sums(path: Path, data: bytes) -> dict[str, str]:
    """Name: checksum."""
    try:
        pairs = [line.split(maxsplit=1) for line in data.decode("ascii").splitlines()]
        sums = {name.removeprefix("*"): digest.lower() for digest, name in pairs}
    except ValueError:
        raise BotError(f"{path}: is not a list of checksums, one `SHA256  FILE` a line") from None
    if set(sums) != set(_SUMMED) or len(sums) < len(pairs):
        raise BotError(f"{path}: lists {', '.join(sums) or 'nothing'}; allowed: {', '.join(_SUMMED)}, each once")
    return sums
