"""The learner: hands are played with every legal action played out, and the policy moves to where more points are.

There is no critic: what an action is worth is what it brought on the true deal, and the policy follows the average over
many deals.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch

from agents import Agent, load_agent
from agents.compiled.brains import Brains, compile_agents
from agents.compiled.hands import make_lessons, play_lessons
from buck_env import Rules
from training.learning.gradient.config import GradientConfig
from training.learning.gradient.trainer import GradientTrainer
from training.learning.network_learner import NetworkLearner
from training.learning.run.loop import Trained, carry_out
from training.learning.run.state import marked, part
from training.measuring.duplicate import deal_seeds

__all__ = ["GradientLearner", "alone_figures", "train"]


def train(config: GradientConfig, say: Callable[[str], None], *, resume: bool = False, anew: bool = False) -> Trained:
    """Carry out a run."""
    return carry_out(config, GradientLearner, say, resume=resume, anew=anew)


def alone_figures(totals: np.ndarray, seats: int) -> dict[str, float]:
    """What the learner earned in the hands in which it sat alone, of `Lessons.totals`; nothing where it did in none."""
    hands, own, everybody, _ = totals
    if not hands:
        return {}
    return {"game/points": own / hands, "game/edge": (seats * own - everybody) / (seats - 1) / hands}


class GradientLearner(NetworkLearner):
    """A learner among agents that compiled code can ask."""

    objective = "points"

    def __init__(self, config: GradientConfig, rules: Rules) -> None:
        self.config: GradientConfig = config
        self.rules = rules
        self.phases = list(rules.phases)
        self.otherwise = "rules-v1"
        self.trainer = GradientTrainer(config, rules)
        self.decisions = 0
        self.updates = 0
        self._opponents = [(name, load_agent(name, rules)) for name in config.opponents]
        self._snapshots: list[dict[str, np.ndarray]] = []
        """The earlier selves, the latest last."""
        self._lessons = make_lessons(config.rollout)
        self._seed = int(deal_seeds(config.seed, 1, stream=3)[0])
        self._next_hand = 0
        self._compiled()  # an opponent that cannot be compiled is refused before anything is learned

    def _compiled(self) -> Brains:
        """The learner as it is now, and everybody in the pool."""
        snapshots = [("an earlier self", self.trainer.agent(weights)) for weights in self._snapshots]
        return compile_agents([("the learner", self.trainer.agent()), *self._opponents, *snapshots], self.rules)

    def start_from(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Take over weights."""
        self.trainer.begin_with(weights)

    def weights(self) -> dict[str, np.ndarray]:
        """The bot's weights as they are now."""
        return self.trainer.weights()

    def as_player(self, bot: Agent) -> Agent:
        """The bot, which decides every phase."""
        return bot

    def iterate(self, progress: float) -> dict[str, float]:
        """Play some hands and learn from them; the figures to log."""
        began = time.perf_counter()
        config, lessons = self.config, self._lessons
        if config.snapshots and self.updates % config.snapshot_every == 0:
            self._snapshots = [*self._snapshots, self.weights()][-config.snapshots :]
        count, self._next_hand = play_lessons(
            self._compiled(), self.rules, self._seed, self._next_hand, config.opponent_share, lessons
        )
        spent = time.perf_counter() - began
        figures = self.trainer.train_on(lessons, count, progress)
        self.decisions += count
        self.updates += 1
        seconds = time.perf_counter() - began
        return (
            figures
            | alone_figures(lessons.totals, self.rules.seats)
            | {"time/decisions_a_second": count / seconds, "time/rollout_share": spent / seconds}
        )

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that decide how the run goes on."""
        state, facts = self.trainer.save()
        for i, weights in enumerate(self._snapshots):
            state |= marked(f"snapshot_{i}", weights)
        counts = {"decisions": self.decisions, "updates": self.updates, "next_hand": self._next_hand}
        return state, {**facts, **counts, "snapshots": len(self._snapshots)}

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned for a learner of the same configuration."""
        self.trainer.restore(state, facts)
        self._snapshots = [part(state, f"snapshot_{i}") for i in range(facts["snapshots"])]
        self.decisions, self.updates, self._next_hand = facts["decisions"], facts["updates"], facts["next_hand"]

    def close(self) -> None:
        """There is nothing to let go of."""
