"""What a run by the all-action gradient is: every setting, with its default."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from buck_env.base.errors import SettingError
from buck_env.base.yaml import quoted
from training.base.settings import AgentName
from training.learning.run.config import Count, NetworkRunConfig, Positive, Share, Weight

__all__ = ["GradientConfig"]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class GradientConfig(NetworkRunConfig):
    """A run that learns from playouts of every legal action, in which the learner's later choices are its own."""

    sections: ClassVar[dict[str, str]] = {
        **NetworkRunConfig.sections,
        "learner": "What is learned",
        "opponents": "Opponents",
        "rollout": "Playouts",
        "learning_rate": "Updates",
    }

    learner: Literal["gradient"] = "gradient"
    """Who learns: gradient, the all-action policy gradient by playouts."""

    opponents: list[AgentName] = Field(default_factory=lambda: ["rules-v1"])
    """The agents in the opponent pool, besides the learner's own snapshots. They are networks, rules-v1, random, or one
    of these for each phase. An agent that is listed twice is met twice as often."""
    snapshots: Count = 0
    """The number of the learner's earlier selves that the opponent pool holds at most."""
    snapshot_every: Positive = 100
    """A snapshot of the running mean joins the opponent pool once in this many rollouts."""
    opponent_share: Share = 1.0
    """The share of the hands in which the learner sits alone among copies of an opponent from the pool. In the other
    hands the learner has every seat."""

    rollout: Annotated[int, Field(ge=64, le=1_000_000)] = 8192
    """The number of decisions that are played, each with every legal action played out, before any is learned from."""

    gradient: Weight = 1.0
    """The weight of the all-action policy gradient: the points that each action brings in the playouts, averaged with
    the policy's probabilities."""
    distance: Weight = 0.0
    """The weight of the distance from the policy that prefers actions as the playouts do."""
    temperature: Annotated[float, Field(gt=0, le=1e6)] = 0.25
    """How sharply playouts favour the better action, for distance. An action that brings this many more points is e
    times as likely."""
    entropy: Weight = 0.01
    """The weight of the entropy bonus at the start."""
    entropy_end: Weight | None = None
    """The weight of the entropy bonus at the end, reached on a straight line. With null, it stays as at the start."""
    value: Weight = 0.1
    """The weight of the value loss. The value is for readers of the bot: nothing is learned from it."""
    learning_rate: Annotated[float, Field(gt=0, le=1)] = 1e-3
    """The learning rate at the start. It falls linearly to a tenth by the end of the run."""
    minibatch: Annotated[int, Field(ge=2)] = 512
    """The number of decisions in an update."""
    max_grad_norm: Annotated[float, Field(gt=0, le=1e6)] = 0.5
    """The largest norm of a gradient. Longer gradients are scaled down to it."""
    averaging: Annotated[float, Field(ge=0, lt=1)] = 0.999
    """The share of the running mean of the learner's weights that each update keeps. The bot is this mean."""

    @property
    def agents(self) -> list[str]:
        return [*super().agents, *self.opponents]

    @model_validator(mode="after")
    def _possible(self) -> GradientConfig:
        for wrong, key, allowed in (
            (self.snapshots > 0 and self.opponent_share == 0, "opponent_share", "above 0 where there are snapshots"),
            (bool(self.opponents) and self.opponent_share == 0, "opponents", "none where opponent_share is 0"),
            (self.opponent_share > 0 and not self.opponents, "opponents", "at least one unless opponent_share is 0"),
            (self.gradient == 0 and self.distance == 0, "gradient", "above 0 where distance is 0"),
            (self.device != "cpu", "device", "cpu"),
        ):  # fmt: skip
            if wrong:
                raise SettingError(key, quoted(getattr(self, key)), allowed)
        return self
