"""What the `bot.json` of a bundle says: all that a host must know to play the bot.

A bundle is a bot that leaves: a folder from which a program in any language can play it. `agents.bots.bundle_files`
writes and reads the folder.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass

from agents.bots.bot import Stamps
from agents.bots.policy import PlayStyle
from buck_env import (
    ACTIONS,
    LAYOUT,
    NUM_ACTIONS,
    OBSERVATION_SIZE,
    PIECES,
    __version__,
)
from buck_env.observation.canonical import SUITS_RULE

__all__ = ["INPUTS", "OUTPUTS", "Bundle", "LevelPoints", "Spread", "Strength", "check_layout"]

FORMAT = "buck-euchre-bundle-v0"

INPUTS = {"observation": ("int8", OBSERVATION_SIZE), "action_mask": ("int8", NUM_ACTIONS)}
OUTPUTS = {"log_probabilities": ("float32", NUM_ACTIONS), "value": ("float32",)}
"""Type and shape, after the symbolic batch, of what the model is given and gives."""

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
class Bundle(Stamps):
    """What `bot.json` says."""

    format: str = FORMAT
    made_with: str = f"buck-euchre-rl {__version__}"
    license: str
    """The licence of the bot, as SPDX names it."""
    rules: dict[str, Any]
    """The rules in full, every field."""
    phases: list[str]
    """The phases it learned to decide."""
    objective: Literal["points", "win"]
    """What it plays for: points a hand, scores out of view, or the share of the match."""
    play: PlayStyle
    """How the host is to choose: the likeliest action, or one drawn by the probabilities."""
    level: str | None
    """The level of play it was weakened to."""
    temperature: Annotated[float, Field(gt=0, allow_inf_nan=False)]
    """What the model has divided its logits by."""
    precision: Literal["float32", "int8"]
    """Its weights, as they are stored."""
    inputs: dict[str, list[Any]] = Field(default_factory=lambda: _with_batch(INPUTS))
    outputs: dict[str, list[Any]] = Field(default_factory=lambda: _with_batch(OUTPUTS))
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
    """The pieces of an observation as a bundle lists them."""
    return [
        {
            "start": LAYOUT[piece.name].start,
            "name": piece.name,
            "shape": list(piece.shape),
            "meaning": piece.meaning,
            "low": piece.low,
            "high": piece.high,
        }
        for piece in PIECES
    ]


def _with_batch(tensors: Mapping[str, tuple[Any, ...]]) -> dict[str, list[Any]]:
    """Name: type, then the shape with its batch."""
    return {name: [dtype, "batch", *shape] for name, (dtype, *shape) in tensors.items()}


def check_layout(bundle: Bundle) -> None:
    """ValueError, which names the key, where inputs, outputs, actions or pieces are not those of this version."""
    for key, theirs, ours in (
        ("inputs", bundle.inputs, _with_batch(INPUTS)),
        ("outputs", bundle.outputs, _with_batch(OUTPUTS)),
        ("actions", bundle.actions, list(ACTIONS)),
        ("observation", [_placed(piece) for piece in bundle.observation], [_placed(piece) for piece in _pieces()]),
    ):
        if theirs != ours:
            raise ValueError(f"{key}: not as in this version")


def _placed(piece: dict[str, Any]) -> dict[str, Any]:
    """A piece without its meaning, whose wording is free."""
    return {key: value for key, value in piece.items() if key != "meaning"}
