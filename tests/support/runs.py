"""Small self-play runs for the tests, and what is compared of runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from training.learning.self_play import TrainConfig, train

SMALL: dict[str, Any] = {
    "tables": 64, "steps": 16, "hidden": [32], "minibatch": 256, "decisions": 3_000, "evaluate": 0, "checkpoint": 2,
}  # fmt: skip
"""The settings of a run of a second."""


def run(folder: Path, *, resume: bool = False, anew: bool = False, **changes: Any) -> Path:
    """Carry out a small run with some settings changed; its folder."""
    config = TrainConfig(out=str(folder), **{**SMALL, **changes})
    return train(config, say=lambda _: None, resume=resume, anew=anew).folder


def checksum(folder: Path) -> str:
    """The sha256 of the weights of a run's bot."""
    return str(json.loads((folder / "bot.json").read_text())["sha256"])


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """What TensorBoard shows of the logs in a folder: steps and values by name."""
    events = EventAccumulator(str(folder), size_guidance={"scalars": 0})
    events.Reload()
    return {name: [(s.step, s.value) for s in events.Scalars(name)] for name in events.Tags()["scalars"]}


def logged_steps(folder: Path) -> dict[str, list[int]]:
    """The steps that a run has logged figures at, by the figure's name."""
    return {name: [step for step, _ in figures] for name, figures in scalars(folder / "logs").items()}
