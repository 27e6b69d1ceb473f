"""What SB3 logs of a rollout: figures of the hands that ended in it, beside SB3's own."""

from __future__ import annotations

from typing import Any

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import KVWriter

from buck_env import Rules
from training.learning.figures import COUNTS, count_views, shares
from training.measuring.counts import as_numbers

__all__ = ["HandFigures", "LastFigures"]


class HandFigures(BaseCallback):
    """Records, at the end of a rollout, figures of the hands that ended in it, each with the number it is out of.

    For environments whose episode is a hand; the logger is SB3's, the names are those of README.md.
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__()
        self.rules = rules

    def _on_rollout_start(self) -> None:
        self.counts = np.zeros(1, COUNTS)
        self.decisions = 0
        self.illegal = 0
        self.points = 0.0

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        ended = [info for info in infos if "terminal_observation" in info]
        if ended:
            views = np.stack([info["terminal_observation"] for info in ended])
            as_numbers(self.counts)[:] += as_numbers(count_views(views, self.rules))
            self.illegal += sum(info["illegal_actions"] for info in ended)
        self.decisions += len(infos)
        self.points += float(self.locals["rewards"].sum())
        return True

    def _on_rollout_end(self) -> None:
        figures = shares(self.counts)
        for name, part, whole in (
            ("game/points", self.points, int(self.counts["hands"][0])),
            ("game/illegal_actions", self.illegal, self.decisions),
        ):
            if whole:
                figures |= {name: part / whole, f"{name}/of": whole}
        for name, figure in figures.items():
            self.logger.record(name, figure)


class LastFigures(KVWriter):
    """Keeps the figures that SB3 logged last, for the run to write."""

    def __init__(self) -> None:
        self.figures: dict[str, float] = {}

    def write(self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0) -> None:
        logged = {name: value for name, value in key_values.items() if "tensorboard" not in key_excluded[name]}
        self.figures = {name: float(value) for name, value in logged.items()}

    def close(self) -> None:
        """Nothing is held open."""
