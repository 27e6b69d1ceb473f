"""The work of a sweep: a run is trained and its bot measured, here, in another process or on another machine."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from agents import load_agent
from buck_env import load_rules
from training.base.cells import Cells
from training.base.processes import Worker
from training.learning.run.checkpoint import CHECKPOINT, CheckpointError
from training.learning.run.config import RunConfig
from training.learning.run.loop import Trained
from training.measuring.compare import points_by_deal
from training.measuring.duplicate import gain_numerators
from training.sweep.plan import Cell, Learn

__all__ = ["Made", "begin"]

_SEED = 0
"""The seed of the deals that measure."""


@dataclass(frozen=True)
class Made:
    """The figures of a cell that was made, and the seconds they took."""

    cell: Cell
    figures: Mapping[str, Any]
    seconds: float


def begin(folder: Path, resume: bool) -> Worker[Cell, Made]:
    """What makes the cells of a sweep whose figures are kept in a folder. With `resume` a run goes on from where an
    earlier one was stopped."""
    return Worker(partial(_make, folder, resume), {})


def _make(folder: Path, resume: bool, cell: Cell) -> Made:
    """Train and measure, and keep the figures where this process runs. KeyboardInterrupt where training was
    interrupted."""
    began = time.monotonic()
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        trained = _train(cell.run, cell.learn, resume)
    if not trained.whole:
        raise KeyboardInterrupt
    rules = load_rules(cell.run.rules)
    bot = load_agent(trained.name, rules)
    gains = {}
    for name in cell.facts["against"]:
        among, without = points_by_deal(
            rules, bot, load_agent(name, rules), deals=cell.facts["deals"], seed=_SEED, names=("the bot", name)
        )
        gains[name] = gain_numerators(among, without).tolist()
    figures = {
        "agent": trained.name, "decisions": trained.decisions, "seconds": round(trained.seconds, 1),
        "seats": rules.seats, "gain_numerators": gains,
    }  # fmt: skip
    made = Made(cell, figures, round(time.monotonic() - began, 1))
    Cells(folder).keep(cell.name, cell.facts, figures, made.seconds)
    return made


def _train(run: RunConfig, learn: Learn, resume: bool) -> Trained:
    """Carry out a run, with `resume` from its checkpoint, if that is of the same run."""
    if resume and (Path(run.out) / CHECKPOINT).is_file():
        try:
            return learn(run, _quiet, resume=True)
        except CheckpointError:
            pass  # of another run, or damaged: it begins anew
    return learn(run, _quiet, anew=True)


def _quiet(_: str) -> None:
    """The sweep says what its runs come to."""
