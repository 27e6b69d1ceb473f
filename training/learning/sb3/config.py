"""What a run of MaskablePPO is: every setting, with its default."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from buck_env import load_rules
from buck_env.base.errors import SettingError
from buck_env.base.yaml import quoted
from training.base.settings import AgentName, Folder
from training.learning.run.config import Count, NetworkRunConfig, Positive, Share, Weight

__all__ = ["PPOConfig"]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class PPOConfig(NetworkRunConfig):
    """A run of MaskablePPO in one seat. Its own settings have sb3-contrib's names and defaults."""

    command: ClassVar[str] = "buck ppo"
    sections: ClassVar[dict[str, str]] = {**NetworkRunConfig.sections, "opponents": "The tables", "n_steps": "Learning"}

    out: Folder = "runs/ppo-ohio"
    evaluate: Count = 1
    checkpoint: Count = 1

    opponents: list[AgentName] = Field(default_factory=lambda: ["rules-v1"])
    """The agents in the other seats: one for all of them, or one for each, clockwise from the learner's left."""
    seat: Count | None = None
    """The learner's seat. With null, it is drawn anew for each hand."""
    envs: Positive = 64
    """The number of tables."""
    vec: Literal["dummy", "subproc", "native"] = "native"
    """How the tables are run: one environment each, in turn (dummy) or in a process each (subproc), or all of them in
    one batch (native)."""

    n_steps: Positive = 2048
    """The number of decisions at each table before an update."""
    batch_size: Annotated[int, Field(ge=2)] = 64
    """The number of decisions in a minibatch."""
    n_epochs: Positive = 10
    """The number of times that an update goes through its decisions."""
    learning_rate: Annotated[float, Field(gt=0)] = 3e-4
    """The learning rate of Adam."""
    gamma: Share = 0.99
    """The discount of later rewards."""
    gae_lambda: Share = 0.95
    """The lambda of generalised advantage estimation. With 1 advantages rest on the rewards, with 0 on the critic."""
    clip_range: Annotated[float, Field(gt=0)] = 0.2
    """How far the probability of an action may move in an update, as a share of it, before PPO clips the gain."""
    ent_coef: Weight = 0.0
    """The weight of the entropy bonus."""
    vf_coef: Weight = 0.5
    """The weight of the value loss."""
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5
    """The largest norm of a gradient. Longer gradients are scaled down to it."""

    @property
    def agents(self) -> list[str]:
        return [*super().agents, *self.opponents]

    @model_validator(mode="after")
    def _possible(self) -> PPOConfig:
        seats = load_rules(self.rules).seats
        for wrong, key, allowed in (
            (len(self.opponents) not in (1, seats - 1), "opponents", f"one for all, or {seats - 1}"),
            (
                self.seat is not None and self.seat >= seats,
                "seat",
                f"0 to {seats - 1}, or null for a new one each hand",
            ),
            (
                self.envs * self.n_steps % self.batch_size == 1,
                "batch_size",
                f"one that leaves no minibatch of a single decision, of {self.envs} * {self.n_steps}",
            ),
        ):
            if wrong:
                raise SettingError(key, quoted(getattr(self, key)), allowed)
        return self
