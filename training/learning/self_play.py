"""Self-play PPO: one network plays every seat of many tables and learns from all of them.

While one rollout is learned from, a second thread plays the next one with the policy as it was before; what either
does is fixed by the seed.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from agents import Agent, load_agent
from agents.naming.composite import Composite
from buck_env import NUM_ACTIONS, BuckError, Rules
from buck_env.environments.tables import Tables
from buck_env.game.table import PHASES
from training.learning.augment import SuitAugmentation
from training.learning.collector import Choice, Collector
from training.learning.figures import by_phase
from training.learning.losses import clipped_policy_loss, entropy_of, kl_of, playout_loss, playout_points, scheduled
from training.learning.network import Critic, Network, arrays, checked_device, initial_weights
from training.learning.opponents import OpponentPool
from training.learning.rollout import NOBODY, ROWS, Rollout
from training.learning.run import carry_out
from training.learning.train_config import TrainConfig
from training.measuring.measures import deal_seeds

__all__ = ["Learner", "TrainConfig", "train"]

_BY_DECISION = ("entropy", "kl", "clip_share")


def train(config: TrainConfig, say: Callable[[str], None] = print, *, resume: bool = False, anew: bool = False) -> Path:
    """Carry out a self-play run."""
    return carry_out(config, Learner, say, resume=resume, anew=anew)


class Learner:
    """Masked PPO with one network at all the seats it plays."""

    def __init__(self, config: TrainConfig, rules: Rules) -> None:
        torch.manual_seed(config.seed)
        torch.set_num_threads(config.threads)
        self.config = config
        self.rules = rules
        self.objective: str = config.objective
        self.phases = list(config.learn or rules.phases)
        self.otherwise: str = config.otherwise
        self.device = checked_device(config.device)
        self.rng = np.random.default_rng(config.seed)
        self.generator = torch.Generator(self.device).manual_seed(config.seed)
        self.networks = nn.ModuleDict({"policy": Network(config.hidden, config.objective)})
        if config.oracle_critic:
            self.networks["critic"] = Critic(
                config.hidden if config.critic_hidden is None else config.critic_hidden, config.objective
            )
        self.networks.to(self.device)
        self.network: Any = self.networks["policy"]
        self.optimizer = torch.optim.Adam(
            self.networks.parameters(), lr=config.learning_rate, eps=1e-5, fused=self.device.type == "cpu"
        )
        self.player = copy.deepcopy(self.networks)
        self._earlier_self = copy.deepcopy(self.network)
        self._asked: Mapping[str, np.ndarray] | None = None
        self.mean = copy.deepcopy(self.network)
        self._parameters = list(self.networks.parameters())
        self._averaged = list(zip(self.mean.parameters(), self.network.parameters(), strict=True))
        self.steps = 0
        self._progress = 0.0
        self.augmentation = SuitAugmentation(rules) if config.suit_augmentation else None
        self.collector = self._sit_down()
        size = config.tables * (config.steps + 1 + rules.seats)
        self.rollouts = [
            Rollout(size, config.tables, rules.seats, hidden=config.oracle_critic, outcomes=config.outcomes)
            for _ in range(2)
        ]  # being learned from, being played
        self.decisions = 0
        self.updates = 0
        self._thread = ThreadPoolExecutor(1)
        self._collecting: Future[float] | None = None

    def _sit_down(self) -> Collector:
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
        opponents: list[Agent] = [load_agent(name, rules) for name in config.opponents]
        return Collector(
            rules,
            tables,
            pool,
            act=self.act,
            sample=self.sample,
            learn=self.phases,
            otherwise=load_agent(config.otherwise, rules) if set(self.phases) < set(rules.phases) else None,
            opponents=opponents,
            hidden=config.oracle_critic,
            playouts=config.playouts,
            outcomes=config.outcomes,
            foretell=self.foretell if config.playout_correction else None,
        )

    def begin(self) -> None:
        """Take over the weights of the run's initial bot."""
        weights = initial_weights(self.config, self.rules)
        for module in (self.network, self.mean, self.player["policy"]):
            module.load_state_dict(weights)

    # --- The bot ---

    def weights(self) -> dict[str, np.ndarray]:
        """The bot's weights as they are now."""
        return arrays(self.mean)

    def as_player(self, bot: Agent) -> Agent:
        """The bot with the decisions it did not learn taken as they were in training."""
        if not self.config.learn:
            return bot
        otherwise = load_agent(self.config.otherwise, self.rules)
        return Composite({phase: bot if phase in self.phases else otherwise for phase in self.rules.phases})

    # --- Playing ---

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)

    def _draw(self, log_probs: torch.Tensor) -> torch.Tensor:
        """An action of each row by its probabilities."""
        noise = torch.empty_like(log_probs).exponential_(generator=self.generator)
        return (log_probs - noise.log()).argmax(dim=1)

    @torch.no_grad()
    def act(self, observation: np.ndarray, mask: np.ndarray, hidden: np.ndarray) -> Choice:
        """What the learner does, drawn by its probabilities."""
        seen = self._tensor(observation).float()
        log_probs, value = self.player["policy"](seen, self._tensor(mask))
        if self.config.oracle_critic:
            value = self.player["critic"](seen, self._tensor(hidden).float())
        action = self._draw(log_probs)
        log_prob = log_probs.gather(1, action[:, None])[:, 0]
        return Choice(action.cpu().numpy(), log_prob.cpu().numpy(), value.cpu().numpy())

    @torch.no_grad()
    def foretell(self, observation: np.ndarray, hidden: np.ndarray) -> np.ndarray:
        """What the critic expects on top of a playout from there, (B,)."""
        expected: torch.Tensor = self.player["critic"](self._tensor(observation).float(), self._tensor(hidden).float())
        values: np.ndarray = expected.cpu().numpy()
        return values

    @torch.no_grad()
    def sample(self, weights: Mapping[str, np.ndarray], observation: np.ndarray, mask: np.ndarray) -> np.ndarray:
        """What an earlier self does."""
        if weights is not self._asked:
            self._earlier_self.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
            self._asked = weights
        log_probs, _ = self._earlier_self(self._tensor(observation).float(), self._tensor(mask))
        actions: np.ndarray = self._draw(log_probs).cpu().numpy()
        return actions

    def _collect(self, rollout: Rollout) -> float:
        began = time.perf_counter()
        self.collector.collect(rollout, self.config.tables * self.config.steps)
        return time.perf_counter() - began

    # --- Learning ---

    def iterate(self, progress: float) -> dict[str, float]:
        """The updates of one rollout, while the next one is being played; the figures to log."""
        config = self.config
        began = time.perf_counter()
        self._progress = progress
        rate = scheduled(config.learning_rate, config.learning_rate / 10, progress)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        if self._collecting is None:
            self._collecting = self._thread.submit(self._collect, self.rollouts[1])
        spent = self._collecting.result()
        self.rollouts.reverse()
        rollout, following = self.rollouts
        rows = rollout.finish(config.gamma, config.gae_lambda)
        rollout.carry_over(following)
        self.player.load_state_dict(self.networks.state_dict())
        if config.snapshots and self.updates % config.snapshot_every == 0:
            self.collector.pool.remember(arrays(self.network))
        game = self.collector.counts.figures()
        self._collecting = self._thread.submit(self._collect, following)
        figures = self.learn(rollout, rows)
        self.decisions += len(rows)
        self.updates += 1
        seconds = time.perf_counter() - began
        times = {"time/decisions_a_second": len(rows) / seconds, "time/rollout_share": spent / seconds}
        return figures | game | times

    def learn(self, rollout: Rollout, rows: np.ndarray) -> dict[str, float]:
        """Some epochs of updates on the decisions of a rollout whose outcome is known; their mean figures."""
        size = self.config.minibatch
        seen, losses = [], []
        by_decision: dict[str, list[np.ndarray]] = {name: [] for name in _BY_DECISION}
        for _ in range(self.config.epochs):
            order = self.rng.permutation(len(rows))
            for start in range(0, max(1, len(order) - size + 1), size):  # all of one size
                chosen = rows[order[start : start + size]]
                if len(chosen) < 2:
                    continue  # an advantage alone cannot be normalised
                seen.append(chosen)
                loss, each = self.update(rollout, chosen)
                losses.append(loss)
                for name in _BY_DECISION:
                    by_decision[name].append(each[name])
        if not losses:
            return {}
        figures = {name: float(np.mean([loss[name] for loss in losses])) for name in losses[0]}
        phases = rollout.phase[np.concatenate(seen)]
        for name, parts in by_decision.items():
            values = np.concatenate(parts)
            figures[f"policy/{name}"] = float(values.mean())
            figures |= {f"policy/{name}/{phase}": mean for phase, mean in by_phase(values, phases, PHASES).items()}
        return figures | self._foreseen(rollout, rows)

    def _foreseen(self, rollout: Rollout, rows: np.ndarray) -> dict[str, float]:
        """How much of the returns the values explain, in all and by phase."""
        errors, phases = rollout.advantage[rows], rollout.phase[rows]
        returns = errors + rollout.value[rows]
        figures = {"rollout/return": float(returns.mean()), "value/explained_variance": _explained(errors, returns)}
        for i, phase in enumerate(PHASES):
            there = phases == i
            if there.sum() > 1:
                figures[f"value/explained_variance/{phase}"] = _explained(errors[there], returns[there])
        return figures

    def update(self, rollout: Rollout, rows: np.ndarray) -> tuple[dict[str, float], dict[str, np.ndarray]]:
        """One clipped step on a minibatch of decisions; its losses, and figures of each decision."""
        config = self.config
        observation, mask, hidden, outcomes, action = (
            getattr(rollout, name)[rows] for name in ("observation", "mask", "hidden", "outcomes", "action")
        )
        if self.augmentation:
            names = self.rng.integers(len(self.augmentation), size=len(rows))
            observation = np.take_along_axis(observation, self.augmentation.observation[names], axis=1)
            mask = np.take_along_axis(mask, self.augmentation.action[names], axis=1)
            action = self.augmentation.to[names, action]
            if config.oracle_critic:
                hidden = np.take_along_axis(hidden, self.augmentation.unseen[names], axis=1)
            if config.outcomes:
                outcomes = np.take_along_axis(outcomes, self.augmentation.action[names], axis=1)
        seen, legal = self._tensor(observation).float(), self._tensor(mask)
        old_log_prob = self._tensor(rollout.log_prob[rows])
        advantage = self._tensor(rollout.advantage[rows])
        target = advantage + self._tensor(rollout.value[rows])
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        log_probs, value = self.network(seen, legal)
        log_ratio = log_probs.gather(1, self._tensor(action)[:, None])[:, 0] - old_log_prob
        policy_loss = clipped_policy_loss(log_ratio, advantage, config.clip)
        value_loss = 0.5 * (value - target).square().mean()
        entropy = entropy_of(log_probs)
        weight = scheduled(config.entropy, config.entropy if config.entropy_end is None else config.entropy_end,
                           self._progress)  # fmt: skip
        loss = policy_loss + config.value * value_loss - weight * entropy.mean()
        figures = {"policy/loss": policy_loss.item(), "value/loss": value_loss.item()}
        if config.magnet:
            with torch.no_grad():
                magnet, _ = self.mean(seen, legal)
            pull = kl_of(log_probs, magnet).mean()
            loss = loss + config.magnet * pull
            figures["policy/magnet_kl"] = pull.item()
        if config.oracle_critic:
            beyond = target - self._tensor(rollout.playout[rows])
            critic_loss = 0.5 * (self.networks["critic"](seen, self._tensor(hidden).float()) - beyond).square().mean()
            loss = loss + config.value * critic_loss
            figures["value/critic_loss"] = critic_loss.item()
        if config.playout_weight:
            distance = playout_loss(log_probs, legal, self._tensor(outcomes), config.playout_temperature)
            loss = loss + scheduled(config.playout_weight, 0.0, self._progress) * distance
            figures["policy/playout_loss"] = distance.item()
        if config.playout_gradient:
            points = playout_points(log_probs, self._tensor(outcomes))
            loss = loss - config.playout_gradient * points
            figures["policy/playout_points"] = points.item()
        if not torch.isfinite(loss):
            raise BuckError(
                f"training: the loss is {loss.item()} after {self.decisions:,} decisions; "
                "a smaller learning_rate or weight keeps it finite; go on from the last checkpoint with --resume"
            )
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self._parameters, config.max_grad_norm)
        self.optimizer.step()
        self.steps += 1
        with torch.no_grad():
            new = 1 - min(config.averaging, self.steps / (self.steps + 9))  # the first steps are soon forgotten
            for mean, parameter in self._averaged:
                mean.lerp_(parameter, new)
            ratio = log_ratio.exp()
            clipped = ((ratio - 1).abs() > config.clip).float()
            return figures, {
                "entropy": entropy.cpu().numpy(),
                "kl": (ratio - 1 - log_ratio).cpu().numpy(),
                "clip_share": clipped.cpu().numpy(),
            }

    # --- State ---

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Everything that decides how the run goes on, once the rollout in the making is whole."""
        if self._collecting is not None:
            self._collecting.result()
        rollout = self.rollouts[1]
        state, facts = self.collector.save()
        for mark, module in (("networks", self.networks), ("mean", self.mean)):
            state |= {f"{mark}.{name}": array for name, array in arrays(module).items()}
        for i, parameter in enumerate(self.networks.parameters()):
            of = self.optimizer.state.get(parameter, {})
            state |= {f"optimizer.{i}.{name}": tensor.cpu().numpy() for name, tensor in of.items()}
        for name in (*ROWS, "following", "final"):
            state[f"rollout.{name}"] = getattr(rollout, name)[: rollout.length]
        state["rollout.last_row"] = rollout.last_row
        state["generator"] = self.generator.get_state().numpy()
        return state, facts | {
            "decisions": self.decisions,
            "updates": self.updates,
            "steps": self.steps,
            "collected": self._collecting is not None,
            "learner_rng": self.rng.bit_generator.state,
        }

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` gave for a learner of the same configuration."""

        def part(mark: str) -> dict[str, np.ndarray]:
            return {name[len(mark) + 1 :]: array for name, array in state.items() if name.startswith(f"{mark}.")}

        self.steps = facts["steps"]
        self.collector.restore(state, facts)
        for mark, module in (("networks", self.networks), ("mean", self.mean)):
            module.load_state_dict({name: torch.from_numpy(array) for name, array in part(mark).items()})
        for i, parameter in enumerate(self.networks.parameters()):
            of = part(f"optimizer.{i}")
            moments = self._moments(parameter)
            if set(of) != set(moments):
                raise ValueError(f"optimizer.{i} is not whole")
            if of:
                self.optimizer.state[parameter] = {
                    name: self._tensor(of[name].reshape(shape)) for name, shape in moments.items()
                }
        rollout, kept = self.rollouts[1], part("rollout")
        last_row = kept.pop("last_row")
        rollout.length = len(kept["action"])
        if set(kept) != {*ROWS, "following", "final"}:
            raise ValueError("the rollout is not whole")
        if last_row.shape != rollout.last_row.shape or any(len(array) != rollout.length for array in kept.values()):
            raise ValueError("the rollout is of several sizes")
        if (kept["action"] < 0).any() or (kept["action"] >= NUM_ACTIONS).any():
            raise ValueError("the rollout has no such actions")
        if (kept["phase"] < 0).any() or (kept["phase"] >= len(PHASES)).any():
            raise ValueError("the rollout has no such phases")
        if any((rows < NOBODY).any() or (rows >= rollout.length).any() for rows in (last_row, kept["following"])):
            raise ValueError("the rollout has no such rows")
        rollout.last_row[:] = last_row
        for name, array in kept.items():
            getattr(rollout, name)[: rollout.length] = array
        self.generator.set_state(torch.from_numpy(state["generator"]))
        self.decisions, self.updates = facts["decisions"], facts["updates"]
        self.rng.bit_generator.state = facts["learner_rng"]
        self._collecting = self._thread.submit(float) if facts["collected"] else None

    def _moments(self, parameter: torch.Tensor) -> dict[str, tuple[int, ...]]:
        """What Adam keeps of a parameter, and its shapes; nothing before the first step."""
        shape = tuple(parameter.shape)
        return {"step": (), "exp_avg": shape, "exp_avg_sq": shape} if self.steps else {}

    def close(self) -> None:
        """Let the thread that plays come to its end."""
        self._thread.shutdown()


def _explained(errors: np.ndarray, returns: np.ndarray) -> float:
    return 1 - float(np.var(errors)) / max(float(np.var(returns)), 1e-8)
