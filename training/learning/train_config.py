"""What a self-play run is: every setting, with its default."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from buck_env import load_rules
from buck_env.base.errors import SettingError
from buck_env.base.yaml import quoted
from buck_env.game.options import PHASES
from training.base.settings import AgentName
from training.learning.run.config import Count, NetworkRunConfig, Positive, Share, Weight

__all__ = ["TrainConfig"]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class TrainConfig(NetworkRunConfig):
    """A self-play run. The defaults suit two cores."""

    sections: ClassVar[dict[str, str]] = {
        **NetworkRunConfig.sections,
        "learner": "What is learned",
        "opponents": "Opponents",
        "tables": "Rollouts",
        "oracle_critic": "The critic and its playouts",
        "learning_rate": "Updates",
    }

    learner: Literal["ppo"] = "ppo"
    """Who learns: ppo, self-play PPO with these settings, or one of those with settings of their own."""
    learn: list[Literal[PHASES]] | None = None  # type: ignore[valid-type]
    """The phases of the game that are learned. With null, all of them are."""
    otherwise: AgentName = "rules-v1"
    """The agent that takes the learner's decisions in the phases that are not learned."""
    objective: Literal["points", "win"] = "points"
    """What the learner plays for: the most points a hand, whatever the score, or the largest share of matches won,
    with the scores in view."""

    opponents: list[AgentName] = Field(default_factory=list)
    """The agents in the opponent pool, besides the learner's own snapshots."""
    snapshots: Count = 0
    """The number of the learner's earlier selves that the opponent pool holds at most."""
    snapshot_every: Positive = 20
    """A snapshot of the learner joins the opponent pool once in this many rollouts."""
    opponent_share: Share = 0.5
    """The share of the tables at which the learner sits alone against an opponent from the pool. At the other tables
    the learner has every seat."""
    opponent_sampling: Literal["uniform", "hard"] = "uniform"
    """How opponents are drawn from the pool: all alike, or more often the harder they are to beat."""

    tables: Annotated[int, Field(ge=1, le=131_072)] = 1024
    """The number of tables that play at the same time."""
    steps: Annotated[int, Field(ge=1, le=4096)] = 32
    """The average number of decisions at each table in a rollout. It must be larger than the number of seats."""
    suit_augmentation: bool = False
    """The learner sees each decision with its suits renamed at random. This needs canonical=false."""

    oracle_critic: bool = False
    """Advantages come from a critic that sees all hands. The policy never sees them."""
    critic_hidden: list[Annotated[int, Field(ge=1, le=8192)]] | None = None
    """The widths of the oracle critic's hidden layers. With null, they are those of the network."""
    playouts: bool = False
    """The oracle critic starts from what rules-v1 would make of the hand from there, at every seat."""
    playout_weight: Weight = 0.0
    """The weight of the loss that draws the policy toward the actions that playouts favour. It falls linearly to 0 by
    the end of the run."""
    playout_temperature: Annotated[float, Field(gt=0, le=1e6)] = 0.5
    """How sharply playouts favour the better action, for playout_weight. An action that brings this many more points
    is e times as likely."""
    playout_gradient: Weight = 0.0
    """The weight of the all-action policy gradient: the points that each action brings in the playouts, averaged with
    the policy's probabilities."""
    playout_correction: bool = False
    """The result of a playout is corrected by what the critic predicts at the learner's next decision."""

    learning_rate: Annotated[float, Field(gt=0, le=1)] = 2.5e-3
    """The learning rate at the start. It falls linearly to a tenth by the end of the run."""
    epochs: Positive = 1
    """The number of times that the learner goes through a rollout."""
    minibatch: Annotated[int, Field(ge=2)] = 512
    """The number of decisions in an update."""
    gamma: Share = 1.0
    """The discount of later rewards."""
    gae_lambda: Share = 0.95
    """The lambda of generalised advantage estimation. With 1 advantages rest on the rewards, with 0 on the critic."""
    clip: Annotated[float, Field(gt=0, le=1e6)] = 0.2
    """How far the probability of an action may move in an update, as a share of it, before PPO clips the gain."""
    entropy: Weight = 0.003
    """The weight of the entropy bonus at the start."""
    entropy_end: Weight | None = None
    """The weight of the entropy bonus at the end, reached on a straight line. With null, it stays as at the start."""
    magnet: Weight = 0.0
    """The weight of the divergence from the running mean of the policy, as in magnetic mirror descent."""
    value: Weight = 0.5
    """The weight of the value loss."""
    max_grad_norm: Annotated[float, Field(gt=0, le=1e6)] = 0.5
    """The largest norm of a gradient. Longer gradients are scaled down to it."""
    averaging: Annotated[float, Field(ge=0, lt=1)] = 0.999
    """The share of the running mean of the learner's weights that each update keeps. The bot and the magnet use this
    mean."""

    @property
    def agents(self) -> list[str]:
        return [*super().agents, self.otherwise, *self.opponents]

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
                raise SettingError(key, quoted(getattr(self, key)), allowed)
        rules = load_rules(self.rules)
        if self.steps <= rules.seats:  # decisions still open at the end of a rollout, one a seat, could be all of it
            raise SettingError("steps", str(self.steps), f"more than {rules.seats}, the seats of these rules")
        phases = rules.phases
        if self.playout_correction and self.learn and set(self.learn) < set(phases) and self.otherwise != "rules-v1":
            raise SettingError(
                "playout_correction",
                "true",
                f"false where otherwise, here {self.otherwise}, is not rules-v1, "
                "who plays on between the learned phases in a playout",
            )
        for phase in self.learn or ():
            if phase not in phases:
                raise SettingError("learn", f"{phase}, which does not occur in these rules,", ", ".join(phases))
        return self
