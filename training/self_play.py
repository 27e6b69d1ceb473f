"""Self-play PPO: one network plays every seat of many tables and learns from all of them.

It reads top to bottom: configuration, network, one iteration (rollout, advantages, clipped updates), and the loop
around it that logs, evaluates and saves. While one rollout is learned from, a second thread plays the next one with the
policy as it was before; what either does is fixed by the seed. What each logged figure means stands in README.md.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass
from torch import nn
from torch.optim.swa_utils import AveragedModel, get_ema_multi_avg_fn
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from agents import load_agent
from agents.bot import write_bot
from agents.network import INPUT_SCALE, NetworkAgent, layer_names
from buck_env import Rules, load_rules
from buck_env.tables import Tables
from training.measures import gain
from training.rollout import Rollout, collect

__all__ = ["Network", "TrainConfig", "train"]

Positive = Annotated[int, Field(gt=0)]
Share = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class TrainConfig:
    """A training run. The defaults suit two cores."""

    rules: str | dict[str, Any] = "ohio"
    """A profile, a YAML file, or a base and what differs."""
    out: str = "runs/ohio"
    """The folder of the bot and its logs."""
    seed: int = 1
    decisions: Positive = 6_000_000
    """Stop after so many decisions learned from,"""
    minutes: Annotated[float, Field(gt=0)] | None = None
    """or after so many minutes, whichever is first."""
    tables: Positive = 1024
    steps: Positive = 32
    """Decisions at each table before an update."""
    hidden: list[Positive] = Field(default_factory=lambda: [128, 128])
    canonical: bool = True
    learning_rate: Annotated[float, Field(gt=0)] = 2.5e-3
    """At the start; it falls linearly to a tenth."""
    epochs: Positive = 1
    minibatch: Positive = 512
    gamma: Share = 1.0
    gae_lambda: Share = 0.95
    clip: Annotated[float, Field(gt=0)] = 0.2
    entropy: Annotated[float, Field(ge=0)] = 0.003
    value: Annotated[float, Field(ge=0)] = 0.5
    """The weight of the value loss."""
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5
    averaging: Annotated[float, Field(ge=0, lt=1)] = 0.999
    """The bot's weights are a running mean of the learner's: the share that each update leaves of it."""
    threads: Positive = 1
    """Threads of torch in learning, and as many in playing."""
    evaluate: Annotated[int, Field(ge=0)] = 20
    """Evaluate every so many updates, and at the end; 0 never."""
    evaluate_deals: Positive = 500
    references: list[str] = Field(default_factory=lambda: ["rules-v1", "random"])
    """The agents it is measured against."""


class Network(nn.Module):
    """Hidden ReLU layers over an observation, then a policy and a value head."""

    def __init__(self, hidden: list[int]) -> None:
        super().__init__()
        self.depth = len(hidden)
        self.scale: torch.Tensor
        self.register_buffer("scale", torch.from_numpy(INPUT_SCALE), persistent=False)
        for name, inputs, outputs in layer_names(hidden):
            layer = nn.Linear(inputs, outputs)
            nn.init.orthogonal_(layer.weight, {"policy": 0.01, "value": 1.0}.get(name, 2**0.5))
            nn.init.zeros_(layer.bias)
            self.add_module(name, layer)

    def forward(self, observation: torch.Tensor, mask: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities (B, A), hugely negative where illegal, and values (B,)."""
        x = observation * self.scale
        for i in range(self.depth):
            x = torch.relu(self.get_submodule(f"hidden_{i}")(x))
        logits = self.get_submodule("policy")(x).masked_fill(mask == 0, -1e8)
        return torch.log_softmax(logits, dim=1), self.get_submodule("value")(x)[:, 0]


def arrays(network: nn.Module) -> dict[str, np.ndarray]:
    """The weights as numpy arrays, by the names that bots use."""
    return {name: tensor.detach().numpy().copy() for name, tensor in network.state_dict().items()}


def entropy_of(log_probs: torch.Tensor) -> torch.Tensor:
    """(B,): the entropy over the legal actions; 0, not NaN, where there is one."""
    return -(log_probs.exp() * log_probs).sum(dim=1)


class Learner:
    """The network, its optimiser, the tables it plays and the decisions it learns from."""

    def __init__(self, config: TrainConfig, rules: Rules) -> None:
        torch.manual_seed(config.seed)
        torch.set_num_threads(config.threads)
        self.config = config
        self.rules = rules
        self.rng = np.random.default_rng(config.seed)
        self.generator = torch.Generator().manual_seed(config.seed)
        self.network = Network(config.hidden)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, eps=1e-5)
        self.tables = Tables(rules, config.tables, canonical=config.canonical, autoreset="same_step", skip_forced=True)
        self.tables.reset(config.seed * 1_000_003)
        self.rollouts = [Rollout(config.tables, rules.seats, config.steps) for _ in range(2)]
        self.player = copy.deepcopy(self.network)
        running_mean = get_ema_multi_avg_fn(config.averaging)  # type: ignore[no-untyped-call]
        self.mean = AveragedModel(self.network, multi_avg_fn=running_mean)
        self.collector = ThreadPoolExecutor(1)
        self.collecting: Future[float] | None = None
        self.decisions = 0

    @torch.no_grad()
    def act(self, observation: np.ndarray, mask: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Sampled actions (N,), their log-probabilities and the values."""
        log_probs, value = self.player(torch.from_numpy(observation).float(), torch.from_numpy(mask))
        noise = torch.empty_like(log_probs).exponential_(generator=self.generator)
        action = (log_probs - noise.log()).argmax(dim=1)
        log_prob = log_probs.gather(1, action[:, None])[:, 0]
        return action.numpy(), log_prob.numpy(), value.numpy()

    def collect(self, rollout: Rollout) -> float:
        """Fill a rollout with the policy as it was when this was asked for; the seconds it took."""
        began = time.perf_counter()
        collect(rollout, self.act, self.tables)
        return time.perf_counter() - began

    def iterate(self, progress: float) -> dict[str, float]:
        """The updates of one rollout, while the next one is being played; the figures to log."""
        config = self.config
        began = time.perf_counter()
        for group in self.optimizer.param_groups:
            group["lr"] = config.learning_rate * (1 - 0.9 * min(progress, 1))
        if self.collecting is None:
            self.collecting = self.collector.submit(self.collect, self.rollouts[0])
        spent = self.collecting.result()
        rollout, other = self.rollouts
        rows, tables = rollout.finish(config.gamma, config.gae_lambda)
        rollout.carry_over(other)
        self.player.load_state_dict(self.network.state_dict())
        self.collecting = self.collector.submit(self.collect, other)
        self.rollouts = [other, rollout]
        figures = self.learn(rollout, rows, tables)
        self.decisions += len(rows)
        seconds = time.perf_counter() - began
        return figures | {"time/decisions_a_second": len(rows) / seconds, "time/rollout_share": spent / seconds}

    def learn(self, rollout: Rollout, rows: np.ndarray, tables: np.ndarray) -> dict[str, float]:
        """Some epochs of updates on all decisions of a rollout whose outcome is known; their mean figures."""
        size = self.config.minibatch
        figures = []
        for _ in range(self.config.epochs):
            order = self.rng.permutation(len(rows))
            for start in range(0, max(1, len(order) - size + 1), size):  # all of one size
                chosen = order[start : start + size]
                figures.append(self.update(rollout, rows[chosen], tables[chosen]))
        errors = rollout.advantage[rows, tables]
        returns = errors + rollout.value[rows, tables]
        return {name: float(np.mean([figure[name] for figure in figures])) for name in figures[0]} | {
            "value/explained_variance": 1 - float(np.var(errors)) / max(float(np.var(returns)), 1e-8),
            "rollout/points_a_hand": float(returns.mean()),
        }

    def update(self, rollout: Rollout, rows: np.ndarray, tables: np.ndarray) -> dict[str, float]:
        """One clipped step on a minibatch of decisions."""
        config = self.config
        observation = torch.from_numpy(rollout.observation[rows, tables]).float()
        mask = torch.from_numpy(rollout.mask[rows, tables])
        action = torch.from_numpy(rollout.action[rows, tables])
        old_log_prob = torch.from_numpy(rollout.log_prob[rows, tables])
        advantage = torch.from_numpy(rollout.advantage[rows, tables])
        target = advantage + torch.from_numpy(rollout.value[rows, tables])
        advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
        log_probs, value = self.network(observation, mask)
        log_ratio = log_probs.gather(1, action[:, None])[:, 0] - old_log_prob
        ratio = log_ratio.exp()
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        policy_loss = -torch.min(ratio * advantage, clipped * advantage).mean()
        value_loss = 0.5 * (value - target).square().mean()
        entropy = entropy_of(log_probs).mean()
        loss = policy_loss + config.value * value_loss - config.entropy * entropy
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
        self.optimizer.step()
        self.mean.update_parameters(self.network)
        with torch.no_grad():
            return {
                "policy/loss": policy_loss.item(),
                "policy/entropy": entropy.item(),
                "policy/kl": ((ratio - 1) - log_ratio).mean().item(),
                "policy/clip_share": ((ratio - 1).abs() > config.clip).float().mean().item(),
                "value/loss": value_loss.item(),
            }

    def save(self, folder: Path) -> NetworkAgent:
        """Write the bot as it is now; it, as an agent."""
        weights = arrays(self.mean.module)
        bot = write_bot(
            folder,
            weights,
            rules={"base": self.rules.base, **self.rules.as_dict()},
            canonical=self.config.canonical,
            hidden=list(self.config.hidden),
            seed=self.config.seed,
            decisions=self.decisions,
            config=asdict(self.config),
        )
        return NetworkAgent(bot, weights)


def train(config: TrainConfig, say: Callable[[str], None] = print) -> Path:
    """Run a training to its end, or until ctrl-C, with the bot saved either way; its folder."""
    rules = load_rules(config.rules)
    references = {name: load_agent(name, rules) for name in config.references}
    folder = Path(config.out)
    learner = Learner(config, rules)
    writer = SummaryWriter(str(folder / "logs"))
    began = time.monotonic()

    def progress() -> float:
        spent = (time.monotonic() - began) / (60 * config.minutes) if config.minutes else 0.0
        return max(learner.decisions / config.decisions, spent)

    def evaluate(bar: Any) -> None:
        agent = learner.save(folder)
        for name, reference in references.items():
            estimate = gain(rules, agent, reference, deals=config.evaluate_deals, seed=10**9)
            writer.add_scalar(f"evaluate/gain_over_{name}", estimate.mean, learner.decisions)
            bar.write(
                f"{learner.decisions:>11,} decisions, {time.monotonic() - began:4.0f} s: gain over {name} {estimate}"
            )

    say(f"training {rules.name} from random weights, seed {config.seed}, into {folder}")
    updates = 0
    with tqdm(total=config.decisions, unit="decision", unit_scale=True, desc=rules.base, smoothing=0.05) as bar:
        try:
            while progress() < 1:
                before = learner.decisions
                for name, figure in learner.iterate(progress()).items():
                    writer.add_scalar(name, figure, learner.decisions)
                updates += 1
                bar.update(learner.decisions - before)
                if config.evaluate and updates % config.evaluate == 0 and progress() < 1:
                    evaluate(bar)
            if config.evaluate:
                evaluate(bar)
        except KeyboardInterrupt:
            bar.write("stopped; the bot is saved as it is now")
        learner.save(folder)
        learner.collector.shutdown()
    writer.close()
    say(f"bot: {folder}  logs: {folder / 'logs'}  ({learner.decisions:,} decisions, {time.monotonic() - began:.0f} s)")
    return folder
