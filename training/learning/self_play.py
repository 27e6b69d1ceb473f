"""Self-play PPO: one network plays every seat of many tables and learns from all of them.

While one rollout is learned from, a second thread plays the next one with the policy as it was before; what either
does is fixed by the seed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np
import torch

from agents import Agent, load_agent
from agents.naming.composite import Composite
from buck_env import Rules
from buck_env.environments.tables import Tables
from training.learning.collector import Collector
from training.learning.network import checked_device
from training.learning.network_learner import NetworkLearner
from training.learning.opponents import OpponentPool
from training.learning.player import Player
from training.learning.playouts import PlayoutTeacher
from training.learning.rollout import Rollout
from training.learning.run.loop import Trained, carry_out
from training.learning.run.state import arrays, marked, part
from training.learning.train_config import TrainConfig
from training.learning.trainer import Trainer
from training.measuring.duplicate import deal_seeds

__all__ = ["SelfPlayLearner", "TrainConfig", "train"]


def train(
    config: TrainConfig, say: Callable[[str], None] = print, *, resume: bool = False, anew: bool = False
) -> Trained:
    """Carry out a self-play run."""
    return carry_out(config, SelfPlayLearner, say, resume=resume, anew=anew)


class SelfPlayLearner(NetworkLearner):
    """A learner whose network sits at all the seats that are its own."""

    def __init__(self, config: TrainConfig, rules: Rules) -> None:
        torch.manual_seed(config.seed)
        torch.set_num_threads(config.threads)
        self.config: TrainConfig = config
        self.rules = rules
        self.objective: str = config.objective
        self.phases = list(config.learn or rules.phases)
        self.otherwise: str = config.otherwise
        device = checked_device(config.device)
        playouts = PlayoutTeacher(config, rules, self.phases)
        self.trainer = Trainer(config, rules, playouts, device)
        self.player = Player(self.trainer.networks, device, config.seed)
        self.collector = self._sit_down(playouts)
        size = config.tables * (config.steps + 1 + rules.seats)
        self.rollouts = [Rollout(size, config.tables, rules.seats, self.collector.columns) for _ in range(2)]
        """The one that is being learned from, and the one that is being played."""
        self.decisions = 0
        self.updates = 0
        self._thread = ThreadPoolExecutor(1)
        self._collecting: Future[float] | None = None

    def _sit_down(self, playouts: PlayoutTeacher) -> Collector:
        config, rules = self.config, self.rules
        tables = Tables(
            rules,
            config.tables,
            episode="hand" if config.objective == "points" else "match",
            reward=config.objective,
            canonical=config.canonical,
            autoreset="same_step",
            skip_forced=True,
        )
        tables.reset(int(deal_seeds(config.seed, 1, stream=2)[0]))
        pool = OpponentPool(
            config.tables,
            rules.seats,
            names=config.opponents,
            snapshots=config.snapshots,
            share=config.opponent_share,
            sampling=config.opponent_sampling,
            seed=config.seed,
        )
        return Collector(
            tables,
            pool,
            self.player,
            playouts,
            phases=self.phases,
            otherwise=load_agent(config.otherwise, rules) if set(self.phases) < set(rules.phases) else None,
            opponents=[load_agent(name, rules) for name in config.opponents],
            oracle_critic=config.oracle_critic,
        )

    def start_from(self, weights: Mapping[str, torch.Tensor]) -> None:
        """Take over weights, to learn and to play."""
        self.trainer.begin_with(weights)
        self.player.networks["policy"].load_state_dict(weights)

    def weights(self) -> dict[str, np.ndarray]:
        """The bot's weights as they are now."""
        return arrays(self.trainer.mean)

    def as_player(self, bot: Agent) -> Agent:
        """The bot, with the phases that it did not learn decided as they were in training."""
        if not self.config.learn:
            return bot
        otherwise = load_agent(self.config.otherwise, self.rules)
        return Composite({phase: bot if phase in self.phases else otherwise for phase in self.rules.phases})

    def iterate(self, progress: float) -> dict[str, float]:
        """Learn from one rollout while the next one is being played; the figures to log."""
        config = self.config
        began = time.perf_counter()
        if self._collecting is None:
            self._collecting = self._thread.submit(self._collect, self.rollouts[1])
        spent = self._collecting.result()
        self.rollouts.reverse()
        rollout, following = self.rollouts
        rows = rollout.finish(config.gamma, config.gae_lambda)
        rollout.carry_over(following)
        self.player.networks.load_state_dict(self.trainer.networks.state_dict())
        if config.snapshots and self.updates % config.snapshot_every == 0:
            self.collector.pool.remember(arrays(self.trainer.networks["policy"]))
        game = self.collector.counts.figures()
        self._collecting = self._thread.submit(self._collect, following)
        figures = self.trainer.train_on(rollout, rows, progress)
        self.decisions += len(rows)
        self.updates += 1
        seconds = time.perf_counter() - began
        times = {"time/decisions_a_second": len(rows) / seconds, "time/rollout_share": spent / seconds}
        return figures | game | times

    def _collect(self, rollout: Rollout) -> float:
        """Play a rollout; the seconds it took."""
        began = time.perf_counter()
        self.collector.collect(rollout, self.config.tables * self.config.steps)
        return time.perf_counter() - began

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that decide how the run goes on, once the rollout in the making is whole."""
        if self._collecting is not None:
            self._collecting.result()
        trained, trained_facts = self.trainer.save()
        collected, collected_facts = self.collector.save()
        state = trained | collected | marked("rollout", self.rollouts[1].save())
        state["generator"] = self.player.generator.get_state().numpy()
        return state, {
            **trained_facts,
            **collected_facts,
            "decisions": self.decisions,
            "updates": self.updates,
            "collected": self._collecting is not None,
        }

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned for a learner of the same configuration."""
        self.trainer.restore(state, facts)
        self.collector.restore(state, facts)
        self.rollouts[1].restore(part(state, "rollout"))
        self.player.generator.set_state(torch.from_numpy(state["generator"]))
        self.decisions, self.updates = facts["decisions"], facts["updates"]
        self._collecting = self._thread.submit(float) if facts["collected"] else None

    def close(self) -> None:
        """Let the thread that plays come to its end."""
        self._thread.shutdown()
