"""The settings of an event, as its YAML file gives them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import ConfigDict, Field, field_validator
from pydantic.dataclasses import dataclass

from agents.programs.settings import CommandSettings, Seconds
from buck_env.base.allowed import InWords
from buck_env.base.errors import SettingError
from buck_env.base.yaml import quoted
from buck_env.game.house import load_rules
from buck_env.game.rules import Rules
from training.base.config import CLUSTER
from training.base.settings import AgentName, named_rules

__all__ = ["MOST", "TournamentConfig"]

MOST = 32
"""The largest number of agents in one event."""
_AGENTS = InWords("a list of agents' names, or a mapping of labels to agents' names")
_LONGEST = 200
"""The largest number of characters in a label."""


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class TournamentConfig:
    """A tournament. All of its results but the wall time follow from these settings."""

    sections: ClassVar[dict[str, str]] = {
        "rules": "The event",
        "on_fault": "Programs (agents named cmd:COMMAND)",
        "processes": "The machine",
    }
    """The first setting of each section, and the heading under which help lists the section."""

    rules: Annotated[Rules, named_rules] = Field(default_factory=load_rules)
    """The rules of the game. A mapping names a base and what differs from it."""
    agents: Annotated[dict[str, AgentName], _AGENTS] = Field(
        default_factory=lambda: {"rules-v1": "rules-v1", "random": "random"}
    )
    """The agents that take part, as a mapping of labels to names. In a list of names, each name is its own label."""
    deals: Annotated[int, Field(ge=2, le=10_000_000)] = 20_000
    """The number of deals that are played as single hands, each of them in every line-up."""
    matches: Annotated[int, Field(ge=0, le=1_000_000)] = 0
    """The number of deals that open a match, each of them in every line-up. With 0 no matches are played."""
    mixed: Annotated[int, Field(ge=0, le=1000)] | Literal["all"] = 1
    """The number of rounds of mixed line-ups. In each round every agent takes every part once. With all, every
    possible line-up is played."""
    until: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """The event stops early, after at least 500 deals, once it knows every agent's edge and gain to plus or minus
    this many points. With null it plays all deals."""
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    """The seed of the deals and of every draw of an agent."""

    on_fault: Literal["random", "forfeit"] = "random"
    """What follows when a program fails to answer with a legal action: a random legal action is played for it, or it
    forfeits the hand."""
    timeout: Seconds = CommandSettings.timeout
    """The number of seconds that a program has for an answer."""
    start_timeout: Seconds = CommandSettings.start_timeout
    """The number of seconds that a program has to start and send its first line."""

    processes: Annotated[int, Field(ge=1, le=256)] = 1
    """The number of processes that play. The results do not depend on it."""
    ray: Annotated[str, Field(pattern=CLUSTER), InWords("HOST:PORT, auto or local")] | None = None
    """A Ray cluster whose cores play in place of processes of this machine. Give HOST:PORT, or local to start a
    cluster on this machine for this event alone, or auto for the cluster that RAY_ADDRESS names, else the one that runs
    on this machine, else as with local. The results do not depend on it."""
    out: Path = Path("runs/tournament")
    """The folder of the event and its report."""

    @property
    def programs(self) -> CommandSettings:
        """The limits on programs, and what follows from their faults."""
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
            raise SettingError("agents", quoted(value), _AGENTS.one)
        for name in value:
            if value.count(name) > 1:
                raise SettingError(
                    "agents", f"{name!r}, listed twice,", f"each name once, or labels, as in `agents: {{a: {name}, …}}`"
                )
        return {name: name for name in value}

    @field_validator("agents")
    @classmethod
    def _at_least_two(cls, value: dict[str, str]) -> dict[str, str]:
        for label in value:
            if not label.isprintable() or not 1 <= len(label) <= _LONGEST:
                raise SettingError(
                    "agents",
                    f"the label {label[:_LONGEST]!r}",
                    f"1 to {_LONGEST} characters that can be printed, as in `agents: {{mine: …}}`",
                )
        if not 2 <= len(value) <= MOST:
            raise SettingError("agents", f"a number of {len(value)}", f"2 to {MOST} agents")
        return value

    @field_validator("matches")
    @classmethod
    def _none_or_two(cls, value: int) -> int:
        if value == 1:
            raise SettingError("matches", "1, which gives no interval,", "0, or at least 2")
        return value

    @field_validator("out", mode="before")
    @classmethod
    def _path(cls, value: Any) -> Any:
        return Path(value) if isinstance(value, str) and value else value
