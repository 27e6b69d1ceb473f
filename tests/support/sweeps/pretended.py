"""Runs that learn nothing: each has a bot that is there already, and leaves lines that say it was done, and where."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from training.learning.run.checkpoint import CHECKPOINT
from training.learning.run.config import RunConfig
from training.learning.run.loop import Trained

AGENTS = {1: "random", 2: "rules-v1", 3: "pretrained:bucked-3"}
"""The bot of each seed."""


def learn(config: RunConfig, say: Callable[[str], None], *, resume: bool = False, anew: bool = False) -> Trained:
    """A run; where a file `stop` lies beside its folder, that of seed 2 is interrupted, and leaves a checkpoint."""
    folder = Path(config.out)
    folder.mkdir(parents=True, exist_ok=True)
    for name, fact in {"done.txt": f"{config.seed}{'+' if resume else ''}", "places.txt": os.getpid()}.items():
        with open(folder.parent / name, "a") as file:
            file.write(f"{fact}\n")
    whole = config.seed != 2 or not (folder.parent / "stop").exists()
    if not whole:
        (folder / CHECKPOINT).touch()
    return Trained(folder, AGENTS[config.seed], config.decisions, 10.0 * config.seed, whole)


def run_of(config: str, overrides: Sequence[str]) -> tuple[RunConfig, Any]:
    """A run of `bucked-3`, whatever configuration it begins with."""
    values: dict[str, Any] = {key: json.loads(text) for key, _, text in (each.partition("=") for each in overrides)}
    return RunConfig(rules="bucked-3", **values), learn
