"""What a training run is: every setting, with its default."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from buck_env import load_rules
from buck_env.game.table import PHASES

__all__ = ["Count", "Positive", "RunConfig", "Share", "TrainConfig", "Weight"]

Positive = Annotated[int, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0, le=1e6)]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class RunConfig:
    """What every training run has, whoever learns."""

    command: ClassVar[str] = "buck train"
    """What carries it out."""

    rules: str | dict[str, Any] = "ohio"
    """A profile, a YAML file, or a base and what differs."""
    out: Annotated[str, Field(min_length=1)] = "runs/ohio"
    """The folder of the bot, its checkpoint and its logs."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 1
    decisions: Positive = 6_000_000
    """Stop after so many decisions learned from,"""
    minutes: Annotated[float, Field(gt=0, le=1e6)] | None = None
    """or after so many minutes, whichever is first."""
    initial: Annotated[str, Field(min_length=1)] | None = None
    """A bot's folder whose weights the network begins with, in place of random ones."""

    # The network
    hidden: list[Annotated[int, Field(ge=1, le=8192)]] = Field(default_factory=lambda: [128, 128])
    canonical: bool = True
    """Suits go by their part in the hand (trump, its colour twin, the others) in place of their names."""
    threads: Annotated[int, Field(ge=1, le=256)] = 1
    """Threads of torch in learning, and as many in playing."""
    device: str = "cpu"
    """Where torch computes: cpu, or cuda where there is a GPU."""

    # What is told
    evaluate: Count = 20
    """Evaluate every so many rollouts, and at the end; 0 never."""
    evaluate_deals: Annotated[int, Field(ge=2)] = 500
    references: list[str] = Field(default_factory=lambda: ["rules-v1", "random"])
    """The agents it is measured against."""
    checkpoint: Count = 50
    """Write a checkpoint every so many rollouts, and at the end; 0 never."""


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class TrainConfig(RunConfig):
    """A self-play run. The defaults suit two cores."""

    # What is learned
    learn: list[Literal[PHASES]] | None = None  # type: ignore[valid-type]
    """The phases that are learned; none named: all of them."""
    otherwise: str = "rules-v1"
    """The agent that takes the learner's other decisions."""
    objective: Literal["points", "win"] = "points"
    """Points a hand, whatever the score; or the share of the match won, with scores in view."""

    # Against whom
    opponents: list[str] = Field(default_factory=list)
    """The opponent pool: named agents,"""
    snapshots: Count = 0
    """and up to so many earlier selves,"""
    snapshot_every: Positive = 20
    """one every so many rollouts."""
    opponent_share: Share = 0.5
    """The share of the tables at which the learner sits alone against one of the pool; elsewhere it has all seats."""
    opponent_sampling: Literal["uniform", "hard"] = "uniform"
    """Every opponent alike, or by how hard it is to beat."""

    # How
    tables: Annotated[int, Field(ge=1, le=131_072)] = 1024
    steps: Annotated[int, Field(ge=1, le=4096)] = 32
    """Decisions a table, on average, before the updates of a rollout; more than there are seats."""
    suit_augmentation: bool = False
    """With plain suits: learn from each decision with its suits renamed at random."""
    oracle_critic: bool = False
    """Advantages come from a critic that sees all hands; the policy never does."""
    critic_hidden: list[Annotated[int, Field(ge=1, le=8192)]] | None = None
    """The oracle critic's hidden layers; none told: as the network's."""
    playouts: bool = False
    """The oracle critic begins from what rules-v1, at every seat, would make of the hand from there."""
    playout_weight: Weight = 0.0
    """The weight at the start, 0 at the end, of the policy's distance from what these playouts say of each action,"""
    playout_temperature: Annotated[float, Field(gt=0, le=1e6)] = 0.5
    """an action being e times as likely for every so many points that it brings more."""
    playout_gradient: Weight = 0.0
    """The weight of the points that the policy's actions, weighed by their probabilities, bring by these playouts
    (all-action policy gradient)."""
    playout_correction: bool = False
    """What a playout says of an action is corrected by what the critic foretells at the learner's next decision."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 2.5e-3
    """At the start; it falls linearly to a tenth."""
    epochs: Positive = 1
    minibatch: Annotated[int, Field(ge=2)] = 512
    gamma: Share = 1.0
    gae_lambda: Share = 0.95
    clip: Annotated[float, Field(gt=0, le=1e6)] = 0.2
    entropy: Weight = 0.003
    """The weight of the entropy bonus at the start,"""
    entropy_end: Weight | None = None
    """and at the end, on a straight line; none: the same."""
    magnet: Weight = 0.0
    """The weight of the divergence from the running mean of the policy (magnetic mirror descent)."""
    value: Weight = 0.5
    """The weight of the value loss."""
    max_grad_norm: Annotated[float, Field(gt=0, le=1e6)] = 0.5
    averaging: Annotated[float, Field(ge=0, lt=1)] = 0.999
    """The bot, and the magnet, are a running mean of the learner's weights: the share that each update leaves of it."""

    @property
    def action_values(self) -> bool:
        """Whether the policy learns from playouts of every action."""
        return self.playout_weight > 0 or self.playout_gradient > 0

    @model_validator(mode="after")
    def _possible(self) -> TrainConfig:
        for wrong, key, allowed in (
            (self.suit_augmentation and self.canonical, "suit_augmentation", "false where canonical is true"),
            (self.snapshots > 0 and self.opponent_share == 0, "opponent_share", "above 0 where there are snapshots"),
            (bool(self.opponents) and self.opponent_share == 0, "opponent_share", "above 0 where there are opponents"),
            (self.tables * self.steps < 64, "steps", "tables * steps of at least 64"),
            (self.playouts and not self.oracle_critic, "playouts", "false where oracle_critic is false"),
            (
                self.critic_hidden is not None and not self.oracle_critic,
                "critic_hidden",
                "null where oracle_critic is false",
            ),
            (self.playout_weight > 0 and not self.playouts, "playout_weight", "0 where playouts is false"),
            (self.playout_gradient > 0 and not self.playouts, "playout_gradient", "0 where playouts is false"),
            (
                self.playout_correction and not self.action_values,
                "playout_correction",
                "false where playout_weight and playout_gradient are 0",
            ),
            (self.playouts and self.gamma != 1, "gamma", "1 where playouts is true"),
            (self.playouts and self.objective == "win", "playouts", "false where objective is win"),
            (self.learn == [], "learn", "at least one phase, or null for all"),
        ):
            if wrong:
                raise ValueError(f"{key} is {getattr(self, key)!r}; allowed: {allowed}")
        rules = load_rules(self.rules)
        if self.steps <= rules.seats:  # decisions still open at the end of a rollout, one a seat, could be all of it
            raise ValueError(f"steps is {self.steps}; allowed: more than {rules.seats}, the seats of these rules")
        phases = rules.phases
        if self.playout_correction and self.learn and set(self.learn) < set(phases) and self.otherwise != "rules-v1":
            raise ValueError(
                f"playout_correction is True; allowed: false where otherwise, here {self.otherwise}, is not rules-v1, "
                "who plays on between the learned phases in a playout"
            )
        for phase in self.learn or ():
            if phase not in phases:
                raise ValueError(f"learn: {phase} does not occur in these rules; allowed: {', '.join(phases)}")
        return self
