"""What an event is made of, as its YAML file says it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, field_validator
from pydantic.dataclasses import dataclass

from agents.programs.settings import CommandSettings, Seconds
from buck_env.game.house import load_rules
from buck_env.game.rules import Rules
from training.tournament.shards import CLUSTER

__all__ = ["MOST", "TournamentConfig"]

MOST = 32
"""Agents in one event."""
_LONGEST = 200
"""Characters of a label."""


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True))
class TournamentConfig:
    """A tournament. All its results but the wall time follow from this."""

    rules: Rules = Field(default_factory=load_rules)
    """A profile, a YAML file, or a mapping with a `base`."""
    agents: dict[str, str] = Field(default_factory=lambda: {"rules-v1": "rules-v1", "random": "random"})
    """Label: agent name. A list of names stands for agents labelled by their names."""
    deals: Annotated[int, Field(ge=2, le=10_000_000)] = 20_000
    """Deals of single hands, each played in every line-up."""
    matches: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """Deals that matches begin with, each in every line-up; 0 plays none."""
    mixed: Annotated[int, Field(ge=0, le=1000)] | Literal["all"] = 1
    """Rounds of mixed line-ups, in each of which every agent takes every part once; or all there are."""
    until: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """Stop before `deals` once every agent's edge and gain is known to plus or minus so much, after 500 deals."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    on_fault: Literal["random", "forfeit"] = "random"
    """What a program at fault gets (`cmd:…`): a random legal action, or a hand forfeited."""
    timeout: Seconds = CommandSettings.timeout
    """Seconds that programs have for an answer,"""
    start_timeout: Seconds = CommandSettings.start_timeout
    """and for their first word."""
    processes: Annotated[int, Field(ge=1, le=256)] = 1
    """Processes that play; the results are the same."""
    ray: Annotated[str, Field(pattern=CLUSTER)] | None = None
    """A Ray cluster whose cores play instead: HOST:PORT; `local`, one of this machine for this event alone; or `auto`,
    what RAY_ADDRESS names, else what runs on this machine, else as `local`. The results are the same."""
    out: Path = Path("runs/tournament")
    """The folder of the event and its report."""

    @property
    def programs(self) -> CommandSettings:
        """What programs are allowed."""
        return CommandSettings(on_fault=self.on_fault, timeout=self.timeout, start_timeout=self.start_timeout)

    @field_validator("rules", mode="before")
    @classmethod
    def _load_rules(cls, value: Any) -> Rules:
        return load_rules(value)

    @field_validator("agents", mode="before")
    @classmethod
    def _label(cls, value: Any) -> Any:
        if isinstance(value, dict):
            return value
        if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
            raise ValueError("allowed: a list of agents' names, or a mapping of labels to names")
        for name in value:
            if value.count(name) > 1:
                raise ValueError(f"{name!r} is listed twice; allowed: unique labels, as in `agents: {{a: {name}, …}}`")
        return {name: name for name in value}

    @field_validator("agents")
    @classmethod
    def _at_least_two(cls, value: dict[str, str]) -> dict[str, str]:
        for label in value:
            if not label.isprintable() or not 1 <= len(label) <= _LONGEST:
                raise ValueError(
                    f"{label[:_LONGEST]!r} is no label; allowed: 1 to {_LONGEST} characters that can be printed, as in "
                    "`agents: {mine: …}`"
                )
        if len(value) < 2:
            raise ValueError(f"{list(value)} is too few; allowed: at least 2 agents")
        if len(value) > MOST:
            raise ValueError(f"{len(value)} agents are too many; allowed: at most {MOST}")
        return value

    @field_validator("matches")
    @classmethod
    def _none_or_two(cls, value: int) -> int:
        if value == 1:
            raise ValueError("1 gives no interval; allowed: 0, or at least 2")
        return value

    @field_validator("out", mode="before")
    @classmethod
    def _path(cls, value: Any) -> Any:
        return Path(value) if isinstance(value, str) and value else value
