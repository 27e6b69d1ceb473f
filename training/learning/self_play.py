"""Self-play PPO: one network plays every seat of many tables and learns from all of them.

While one rollout is learned from, a second thread plays the next one with the policy as it was before; what either
does is fixed by the seed.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch

from agents import Agent, load_agent
from agents.naming.composite import Composite
from buck_env import Rules, load_rules
from buck_env.environments.tables import Tables
from training.base.interruption import interruptible
from training.learning.collector import Collector
from training.learning.network import checked_device
from training.learning.network_learner import NetworkLearner
from training.learning.opponents import OpponentPool
from training.learning.player import Player
from training.learning.playouts import PlayoutTeacher
from training.learning.rollout import Rollout
from training.learning.run.checkpoint import CheckpointError
from training.learning.run.folder import RunFolder
from training.learning.run.loop import Trained, carry_out
from training.learning.run.ranks import ALONE, Ranks, joined
from training.learning.run.state import arrays, marked, part
from training.learning.train_config import TrainConfig
from training.learning.trainer import Trainer
from training.measuring.duplicate import deal_seeds

__all__ = ["SelfPlayLearner", "TrainConfig", "train"]

_SAVE = "save"
"""What the first rank announces before a checkpoint."""


def train(
    config: TrainConfig, say: Callable[[str], None] = print, *, resume: bool = False, anew: bool = False
) -> Trained:
    """Carry out a self-play run. Under `torchrun` each process plays a share of the tables, and the first one leads."""
    ranks = joined()
    if ranks.number:
        return _follow(config, ranks, resume=resume)
    learner_of = partial(SelfPlayLearner, ranks=ranks)
    return carry_out(config, learner_of, say, resume=resume, anew=anew, several=True)


def _follow(config: TrainConfig, ranks: Ranks, *, resume: bool) -> Trained:
    """Do what the first rank says, until it says no more. Whoever wants to end the run tells that one."""
    rules = load_rules(config.rules)
    learner = SelfPlayLearner(config, rules, ranks=ranks)
    if resume:
        RunFolder(config, rules).restore(learner)
    else:
        learner.begin()
    with interruptible():
        while (word := ranks.heard()) is not None:
            if word == _SAVE:
                learner.save()
            else:
                learner.iterate(word)
    learner.close()
    return Trained(Path(config.out), f"{learner.prefix}:{config.out}", learner.decisions, 0.0, True)


class SelfPlayLearner(NetworkLearner):
    """A learner whose network sits at all the seats that are its own."""

    def __init__(self, config: TrainConfig, rules: Rules, ranks: Ranks = ALONE) -> None:
        torch.manual_seed(config.seed)
        torch.set_num_threads(config.threads)
        self.config: TrainConfig = config
        self.rules = rules
        self.ranks = ranks
        self.tables = ranks.share(config.tables, "tables")
        """The number of tables that this rank plays."""
        self.objective: str = config.objective
        self.phases = list(config.learn or rules.phases)
        self.otherwise: str = config.otherwise
        device = checked_device(config.device)
        playouts = PlayoutTeacher(config, rules, self.phases)
        self.trainer = Trainer(config, rules, playouts, device, ranks)
        self.player = Player(self.trainer.networks, device, self._own_seed(3))
        self.collector = self._sit_down(playouts)
        size = self.tables * (config.steps + 1 + rules.seats)
        self.rollouts = [Rollout(size, self.tables, rules.seats, self.collector.columns) for _ in range(2)]
        """The one that is being learned from, and the one that is being played."""
        self.decisions = 0
        self.updates = 0
        self._thread = ThreadPoolExecutor(1)
        self._collecting: Future[float] | None = None

    def _own_seed(self, stream: int) -> int:
        """A seed of this rank's own; that of the run on the first."""
        number = self.ranks.number
        return int(deal_seeds(self.config.seed, 1, stream, first=number)[0]) if number else self.config.seed

    def _sit_down(self, playouts: PlayoutTeacher) -> Collector:
        config, rules = self.config, self.rules
        tables = Tables(
            rules,
            self.tables,
            episode="hand" if config.objective == "points" else "match",
            reward=config.objective,
            canonical=config.canonical,
            autoreset="same_step",
            skip_forced=True,
        )
        tables.reset(int(deal_seeds(config.seed, 1, stream=2, first=self.ranks.number * self.tables)[0]))
        pool = OpponentPool(
            self.tables,
            rules.seats,
            names=config.opponents,
            snapshots=config.snapshots,
            share=config.opponent_share,
            sampling=config.opponent_sampling,
            seed=self._own_seed(4),
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
        self.ranks.announce(progress)
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
        rows = rows[: self.ranks.least(len(rows))]
        figures = self.trainer.train_on(rollout, rows, progress)
        self.decisions += self.ranks.count * len(rows)
        self.updates += 1
        seconds = time.perf_counter() - began
        times = {
            "time/decisions_a_second": self.ranks.count * len(rows) / seconds,
            "time/rollout_share": spent / seconds,
        }
        return figures | game | times

    def _collect(self, rollout: Rollout) -> float:
        """Play a rollout; the seconds it took."""
        began = time.perf_counter()
        self.collector.collect(rollout, self.tables * self.config.steps)
        return time.perf_counter() - began

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that decide how the run goes on, once the rollout in the making is whole.

        On the first rank they are those of all ranks; the networks are everybody's.
        """
        self.ranks.announce(_SAVE)
        if self._collecting is not None:
            self._collecting.result()
        trained, trained_facts = self.trainer.save()
        collected, collected_facts = self.collector.save()
        own = collected | marked("rollout", self.rollouts[1].save())
        own["generator"] = self.player.generator.get_state().numpy()
        others = self.ranks.gathered((own, collected_facts))[1:]
        state = trained | own
        for number, (arrays_there, _) in enumerate(others, start=1):
            state |= marked(f"rank_{number}", arrays_there)
        return state, {
            **trained_facts,
            **collected_facts,
            "ranks": [facts for _, facts in others],
            "decisions": self.decisions,
            "updates": self.updates,
            "collected": self._collecting is not None,
        }

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` returned for a learner of the same configuration."""
        others = facts.get("ranks", [])
        if len(others) + 1 != self.ranks.count:
            raise CheckpointError(
                f"{self.config.out}: {len(others) + 1} processes learned together, now there are {self.ranks.count}; "
                f"go on with as many, as in torchrun --nproc-per-node {len(others) + 1}"
            )
        self.trainer.restore(state, facts)
        number = self.ranks.number
        own, own_facts = (part(state, f"rank_{number}"), others[number - 1]) if number else (state, facts)
        self.collector.restore(own, own_facts)
        self.rollouts[1].restore(part(own, "rollout"))
        self.player.generator.set_state(torch.from_numpy(own["generator"]))
        self.decisions, self.updates = facts["decisions"], facts["updates"]
        self._collecting = self._thread.submit(float) if facts["collected"] else None

    def close(self) -> None:
        """Let the thread that plays come to its end, and the other ranks."""
        self.ranks.announce(None)
        self._thread.shutdown()
