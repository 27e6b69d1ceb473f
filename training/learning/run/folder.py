"""The folder of a training run: its bot, its checkpoint and its logs."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from torch.utils.tensorboard import SummaryWriter

from agents import Agent
from agents.bots.bot import MANIFEST_FILE
from buck_env import BuckError, Rules
from training.base.provenance import cores
from training.learning.run.checkpoint import CHECKPOINT, CheckpointError, read_checkpoint, write_checkpoint
from training.learning.run.config import RunConfig
from training.learning.run.learner import Learner

__all__ = ["RunFolder", "holds_a_run"]

_MAY_CHANGE = ("decisions", "minutes", "evaluate", "evaluate_deals", "references", "checkpoint", "out", "vec")
"""The settings that may differ when a run is resumed: none of them decides what is learned."""


def holds_a_run(folder: Path) -> bool:
    """Whether a run's checkpoint or bot is in a folder."""
    return any(path.exists() for path in _marks(folder))


def _marks(folder: Path) -> tuple[Path, Path]:
    return folder / CHECKPOINT, folder / MANIFEST_FILE


class RunFolder:
    """Reads and writes the files of one run."""

    def __init__(self, config: RunConfig, rules: Rules) -> None:
        self.path = Path(config.out)
        self.logs = self.path / "logs"
        self._config = config
        self._rules = rules

    @property
    def holds_a_run(self) -> bool:
        """Whether a run's checkpoint or bot is there."""
        return holds_a_run(self.path)

    def refuse_a_run(self) -> None:
        """BuckError where a run is there."""
        if self.holds_a_run:
            raise BuckError(
                f"{self.path}: holds a run already; --resume goes on with it, --anew replaces it, or give out="
            )

    def clear(self) -> None:
        """Remove the run that the folder holds; other files stay."""
        logs, weights = self.logs.glob("events.out.tfevents.*"), self.path.glob("weights-*.safetensors")
        for path in [*(path for path in _marks(self.path) if path.exists()), *logs, *weights]:
            path.unlink()

    def open_logs(self, first: int | None) -> SummaryWriter:
        """A writer of TensorBoard's logs; figures that are there already from step `first` on no longer count."""
        _wait_for_a_later_second(self.logs)
        return SummaryWriter(str(self.logs), purge_step=first)

    def write_bot(self, learner: Learner, seconds: float, curve: Sequence[dict[str, Any]]) -> Agent:
        """Write the bot as it is after so many seconds, with its learning curve; it, as an agent."""
        facts = {
            "rules": self._rules.as_dict(),
            "seed": self._config.seed,
            "decisions": learner.decisions,
            "seconds": round(seconds, 1),
            "cores": cores(),
            "curve": list(curve),
            "config": asdict(self._config),
        }
        return learner.write_bot(self.path, facts)

    def write_checkpoint(self, learner: Learner, seconds: float, curve: Sequence[dict[str, Any]]) -> None:
        """Write all that the run needs to be resumed."""
        state, facts = learner.save()
        facts |= {"command": self._config.command, "config": asdict(self._config), "rules": self._rules.as_dict()}
        write_checkpoint(self.path, state, facts | {"seconds": seconds, "curve": curve})

    def restore(self, learner: Learner) -> tuple[float, list[dict[str, Any]]]:
        """Put a learner where the checkpoint left it; the seconds that the run had taken, and its learning curve.

        CheckpointError where there is no checkpoint, it is damaged, or of another run.
        """
        path = self.path / CHECKPOINT
        state, facts = read_checkpoint(self.path)
        self._check(path, facts)
        try:
            if any(type(facts[name]) is not int or facts[name] < 0 for name in ("decisions", "updates")):
                raise ValueError("decisions and updates are not counts")
            learner.restore(state, facts)
            return float(facts["seconds"]), [dict(point) for point in facts["curve"]]
        except CheckpointError:
            raise
        except (LookupError, TypeError, ValueError, RuntimeError) as error:
            raise CheckpointError(f"{path}: is damaged: {' '.join(f'{error!r}'.split())}") from error

    def _check(self, path: Path, facts: Any) -> None:
        """Refuse the checkpoint of another command, configuration or rules."""
        if not isinstance(facts, dict) or not isinstance(facts.get("config"), dict):
            raise CheckpointError(f"{path}: is damaged: it lacks its configuration")
        config, ours, theirs = self._config, asdict(self._config), facts["config"]
        if facts.get("command") != config.command:
            raise CheckpointError(f"{path}: is of a run of {facts.get('command')!r}, not of {config.command!r}")
        for key, value in theirs.items():
            if key not in _MAY_CHANGE and json.loads(json.dumps(ours.get(key))) != value:
                raise CheckpointError(
                    f"{path}: {key} is {value!r} in this run, not {ours.get(key)!r}; "
                    f"a resumed run may change only {', '.join(key for key in _MAY_CHANGE if key in ours)}"
                )
        if facts.get("rules") != self._rules.as_dict():
            raise CheckpointError(
                f"{path}: is of other rules than {config.rules} has now; --anew begins a run by these"
            )


def _wait_for_a_later_second(logs: Path) -> None:
    """TensorBoard reads logs in the order of their names, which begin with the second they were opened in."""
    seconds = [int(path.name.split(".")[3]) for path in logs.glob("events.out.tfevents.[0-9]*.*")]
    time.sleep(max(0.0, min(1.0, max(seconds, default=0) + 1 - time.time())))
