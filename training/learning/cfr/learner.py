"""Regret minimisation as a run knows its learner."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from agents import Agent
from agents.cfr.agent import CfrAgent
from agents.cfr.bot import write_cfr_bot
from buck_env import Rules
from training.learning.cfr.config import CfrConfig
from training.learning.cfr.house import House
from training.learning.cfr.solver import Solver
from training.learning.run.loop import Trained, carry_out
from training.measuring.duplicate import deal_seeds

__all__ = ["CfrConfig", "CfrLearner", "train"]


def train(
    config: CfrConfig, say: Callable[[str], None] = print, *, resume: bool = False, anew: bool = False
) -> Trained:
    """Carry out a run of regret minimisation."""
    return carry_out(config, CfrLearner, say, resume=resume, anew=anew)


class CfrLearner:
    """A solver of one house, deal after deal."""

    prefix = "cfr"
    origin = "even strategies"
    otherwise = "rules-v1"
    updates = 0

    def __init__(self, config: CfrConfig, rules: Rules) -> None:
        self.phases = list(rules.phases)
        self.decisions = 0
        self._deals = config.deals
        self._solver = Solver(House(rules, int(deal_seeds(config.seed, 1, stream=2)[0])), config.seed)

    def begin(self) -> None:
        """Nothing: every strategy starts even."""

    def iterate(self, progress: float) -> dict[str, float]:
        """Learn from one iteration of deals; the figures to log."""
        began, solver = time.perf_counter(), self._solver
        decisions = solver.iterate(np.arange(self._deals) + self._deals * solver.iterations)
        self.decisions += decisions
        self.updates += 1
        weight = solver.iterations * (solver.iterations + 1) / 2
        return {
            "cfr/situations": float(len(solver.tables)),
            "cfr/regret": float(np.maximum(solver.tables.regrets, 0).sum() / weight / self._deals),
            "time/decisions_a_second": decisions / (time.perf_counter() - began),
        }

    def write_bot(self, folder: Path, facts: Mapping[str, Any]) -> CfrAgent:
        """Write the average strategy as it is now into a folder, with these facts about the run; it, as an agent."""
        situations, strategies = self._solver.tables.keys, self._solver.tables.average()
        return CfrAgent(*write_cfr_bot(folder, situations, strategies, **facts))

    def as_player(self, bot: Agent) -> Agent:
        """The bot, which decides every phase."""
        return bot

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """The tables, and how far it has come."""
        return self._solver.tables.save(), {"decisions": self.decisions, "updates": self.updates}

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned for a learner of the same configuration."""
        self._solver.tables.restore(state)
        self._solver.iterations = self.updates = facts["updates"]
        self.decisions = facts["decisions"]

    def close(self) -> None:
        """Nothing: it holds no threads and no processes."""
