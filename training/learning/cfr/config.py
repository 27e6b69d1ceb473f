"""What a run of regret minimisation is: every setting, with its default."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

from agents.cfr.phases import LEARNED
from buck_env import load_rules
from buck_env.base.errors import SettingError
from buck_env.base.yaml import quoted
from training.learning.run.config import RunConfig

__all__ = ["CfrConfig"]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class CfrConfig(RunConfig):
    """A run of regret minimisation on one core."""

    sections: ClassVar[dict[str, str]] = {**RunConfig.sections, "learner": "What is learned"}

    learner: Literal["cfr"] = "cfr"
    """Who learns: cfr, by external-sampling Monte Carlo counterfactual regret minimisation. It learns to make trump
    and to stay or drop; rules-v1 decides all else, in training as in play."""
    deals: Annotated[int, Field(ge=1, le=131_072)] = 1024
    """The number of deals in an iteration. Iterations take the place of rollouts, and decisions are those whose regrets
    were updated."""

    @model_validator(mode="after")
    def _possible(self) -> CfrConfig:
        phases = load_rules(self.rules).phases
        if not set(LEARNED) & set(phases):
            raise SettingError(
                "rules",
                f"{quoted(self.rules)}, where cfr has nothing to learn,",
                f"rules with a decision of {', '.join(LEARNED)}",
            )
        return self
