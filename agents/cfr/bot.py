"""A strategy of regret minimisation on disk: `bot.json`, which says what it is, and the file of its tables."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from agents.bots.bot import MANIFEST_FILE, BotError, Stamps, check_rules, read_manifest, read_weights, write_manifest
from buck_env import Rules

__all__ = ["CfrBot", "read_cfr_bot", "write_cfr_bot"]

FORMAT = "buck-euchre-cfr-v1"
"""It changes with what a situation is."""


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class CfrBot(Stamps):
    """What `bot.json` says."""

    format: str = FORMAT
    rules: dict[str, Any]
    """The rules in full, every field."""
    seed: int
    decisions: int
    """Decisions it learned from,"""
    seconds: float
    """the wall time that took,"""
    cores: int
    """and the cores there were."""
    curve: list[dict[str, Any]] = field(default_factory=list)
    """Its evaluations while it learned."""
    config: dict[str, Any]
    """The training configuration in full."""
    weights: str
    """The file of its tables, in the same folder: `situations` (R,) int64, rising, and `strategies` (R, W) float32."""
    sha256: str
    """Its checksum."""


def write_cfr_bot(
    folder: Path, situations: np.ndarray, strategies: np.ndarray, **facts: Any
) -> tuple[CfrBot, np.ndarray, np.ndarray]:
    """Write a strategy, probabilities (R, W) of situations (R,) in any order; `facts` are the other fields.

    It is returned as `read_cfr_bot` reads it.
    """
    order = np.argsort(situations)
    situations, strategies = situations[order], strategies[order].astype(np.float32)
    bot = write_manifest(folder, CfrBot, {"situations": situations, "strategies": strategies}, **facts)
    return bot, situations, strategies


def read_cfr_bot(folder: str | Path, rules: Rules | None = None) -> tuple[CfrBot, np.ndarray, np.ndarray]:
    """A strategy, its situations (R,) int64 and probabilities (R, W) float32; BotError says what is wrong with it.

    Without rules it is taken for whatever rules it was trained for.
    """
    folder = Path(folder)
    what = "a strategy is a folder that `buck train` wrote with learner: cfr"
    bot = read_manifest(folder / MANIFEST_FILE, CfrBot, what, "train it again")
    check_rules(folder, bot.rules, rules)
    tables = read_weights(folder, bot.weights, bot.sha256)
    situations, strategies = tables.get("situations"), tables.get("strategies")
    if situations is None or situations.ndim != 1 or situations.dtype != np.int64 or not len(situations):
        raise BotError(f"{folder}: situations are not int64 of shape (R,), at least one")
    if (np.diff(situations) <= 0).any():
        raise BotError(f"{folder}: situations do not rise from each to the next")
    if (
        strategies is None
        or strategies.ndim != 2
        or strategies.dtype != np.float32
        or len(strategies) != len(situations)
    ):
        raise BotError(f"{folder}: strategies are not float32 of shape (R, W), a row a situation")
    if not (strategies >= 0).all() or not np.isclose(strategies.sum(axis=1), 1, atol=1e-3).all():
        raise BotError(f"{folder}: strategies are not probabilities, which are at least 0 and sum to 1 in each row")
    return bot, situations, strategies
