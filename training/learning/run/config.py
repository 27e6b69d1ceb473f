"""The settings that every training run has, whoever learns."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, field_validator
from pydantic.dataclasses import dataclass

from buck_env import load_rules
from buck_env.base.allowed import InWords
from training.base.settings import AgentName, Folder, named_rules

__all__ = ["Count", "NetworkRunConfig", "Positive", "RunConfig", "Share", "Weight"]

Positive = Annotated[int, Field(gt=0)]
Count = Annotated[int, Field(ge=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Weight = Annotated[float, Field(ge=0, le=1e6)]


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class RunConfig:
    """What every training run has, whoever learns."""

    command: ClassVar[str] = "buck train"
    """The command that carries it out."""
    sections: ClassVar[dict[str, str]] = {
        "rules": "The run",
        "evaluate": "Evaluation and checkpoints",
    }
    """The first setting of each section, and the heading under which help lists the section."""

    rules: Annotated[str | dict[str, Any], named_rules] = "ohio"
    """The rules of the game. A mapping names a base and what differs from it."""
    out: Folder = "runs/ohio"
    """The folder of the run. It holds the bot, its checkpoint and its logs."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 1
    """The seed of the cards and of every other draw, first weights included."""
    decisions: Positive = 6_000_000
    """The run stops after it has learned from this many decisions."""
    minutes: Annotated[float, Field(gt=0, le=1e6)] | None = None
    """The run also stops after this many minutes, if that comes first. With null, only the decisions count."""

    evaluate: Count = 20
    """The bot is evaluated once in this many rollouts, and at the end. With 0 it is never evaluated."""
    evaluate_deals: Annotated[int, Field(ge=2)] = 500
    """The number of duplicate deals in an evaluation, against each reference."""
    references: list[AgentName] = Field(default_factory=lambda: ["rules-v1", "random"])
    """The agents that evaluations measure the bot against."""
    checkpoint: Count = 50
    """A checkpoint is written once in this many rollouts, and at the end. With 0 none is written."""

    @property
    def agents(self) -> list[str]:
        """The names of all agents that take part."""
        return self.references

    @field_validator("rules")
    @classmethod
    def _exist(cls, value: Any) -> Any:
        load_rules(value)
        return value


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class NetworkRunConfig(RunConfig):
    """What every run that trains a network has."""

    sections: ClassVar[dict[str, str]] = {**RunConfig.sections, "initial": "The network"}

    initial: Annotated[str, Field(min_length=1), InWords("a bot's folder or pretrained:NAME")] | None = None
    """The bot whose weights the network starts from. With null, they are random."""
    hidden: list[Annotated[int, Field(ge=1, le=8192)]] = Field(default_factory=lambda: [128, 128])
    """The widths of the network's hidden layers."""
    canonical: bool = True
    """The network sees suits by their part in the hand (trump, the other suit of its colour, the rest) instead of by
    their names. It then learns each situation once, not once a suit."""
    threads: Annotated[int, Field(ge=1, le=256)] = 1
    """The number of threads that torch uses, both to play and to learn."""
    device: Annotated[str, InWords("cpu or cuda")] = "cpu"
    """The device on which torch computes. cuda needs a machine with a GPU."""
