"""What a run of MaskablePPO is: every setting, with its default."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from buck_env import load_rules
from training.learning.train_config import Count, Positive, RunConfig, Share, Weight

__all__ = ["PPOConfig"]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class PPOConfig(RunConfig):
    """A run of MaskablePPO in one seat. Its own settings have sb3-contrib's names and defaults."""

    command: ClassVar[str] = "buck ppo"

    # At which tables
    out: str = "runs/ppo-ohio"
    opponents: list[str] = Field(default_factory=lambda: ["rules-v1"])
    """Who plays the other seats: one agent for all, or one each, clockwise from the learner's left."""
    seat: Count | None = None
    """The learner's seat; none: a new one each hand."""
    envs: Positive = 64
    """Tables."""
    vec: Literal["dummy", "subproc", "native"] = "native"
    """One environment a table, in turn or in a process each; or all tables in one batch."""

    # How
    n_steps: Positive = 2048
    """Decisions a table before an update."""
    batch_size: Annotated[int, Field(ge=2)] = 64
    n_epochs: Positive = 10
    learning_rate: Annotated[float, Field(gt=0)] = 3e-4
    gamma: Share = 0.99
    gae_lambda: Share = 0.95
    clip_range: Annotated[float, Field(gt=0)] = 0.2
    ent_coef: Weight = 0.0
    vf_coef: Weight = 0.5
    max_grad_norm: Annotated[float, Field(gt=0)] = 0.5

    # What is told
    evaluate: Count = 1
    checkpoint: Count = 1

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
                raise ValueError(f"{key} is {getattr(self, key)!r}; allowed: {allowed}")
        return self
