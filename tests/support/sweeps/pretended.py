"""Runs that learn nothing: each has a bot that is there already, and leaves a line that says it was done."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from training.learning.run.config import RunConfig
from training.learning.run.loop import Trained

AGENTS = {1: "random", 2: "rules-v1", 3: "pretrained:bucked-3"}
"""The bot of each seed."""


def learn(config: RunConfig, say: Callable[[str], None], *, resume: bool = False, anew: bool = False) -> Trained:
    """A run; where a file `stop` lies beside its folder, that of seed 2 is interrupted."""
    folder = Path(config.out)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder.parent / "done.txt", "a") as file:
        file.write(f"{config.seed}\n")
    whole = config.seed != 2 or not (folder.parent / "stop").exists()
    return Trained(folder, AGENTS[config.seed], config.decisions, 10.0 * config.seed, whole)


def run_of(config: str, overrides: Sequence[str]) -> tuple[RunConfig, Any]:
    """A run of `bucked-3`, whatever configuration it begins with."""
    values: dict[str, Any] = {key: json.loads(text) for key, _, text in (each.partition("=") for each in overrides)}
    return RunConfig(rules="bucked-3", **values), learn
