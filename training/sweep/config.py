"""The settings of a sweep, as its YAML file gives them."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from pydantic import ConfigDict, Field, field_validator, model_validator
from pydantic.dataclasses import dataclass

from buck_env.base.allowed import InWords
from buck_env.base.errors import SettingError
from buck_env.base.yaml import quoted
from training.base.config import CLUSTER
from training.base.settings import AgentName, Folder

__all__ = ["SweepConfig"]

_OWN = {"seed": "seeds, a setting of the sweep", "out": "out, a setting of the sweep, for all runs together"}
"""Settings of a run that a sweep sets itself, and what takes their place."""
_GRID = InWords(
    "a mapping of axes: a setting and the list of its values, or a name and a mapping of labels to settings"
)


@dataclass(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class SweepConfig:
    """A grid of training runs, and how their bots are measured."""

    sections: ClassVar[dict[str, str]] = {
        "config": "The runs",
        "against": "Measuring",
        "processes": "The machine",
    }
    """The first setting of each section, and the heading under which help lists the section."""

    config: Annotated[str, Field(min_length=1), InWords("a shipped configuration of buck train, or a YAML file")] = (
        "options"
    )
    """The configuration of buck train that every run begins with."""
    settings: Annotated[dict[str, Any], InWords("a mapping of settings of buck train")] = Field(default_factory=dict)
    """Settings that every run has instead of those of the configuration."""
    grid: Annotated[dict[str, list[Any] | dict[str, dict[str, Any]]], _GRID] = Field(default_factory=dict)
    """The axes. Every combination of one choice of each axis is trained with every seed. An axis is a setting of buck
    train with a list of values, or a name of yours with labels, each for some settings that go together."""
    seeds: Annotated[
        list[Annotated[int, Field(ge=0, lt=2**63)]], InWords("a list of whole numbers, each once, as in [1, 2, 3]")
    ] = Field(default_factory=lambda: [1, 2, 3, 4, 5])
    """The seeds of the runs of each combination."""
    out: Folder = "runs/sweep"
    """The folder of the sweep: its table, its picture, the figures of each run, and the runs."""

    against: list[AgentName] = Field(default_factory=lambda: ["rules-v1"])
    """The agents over which the gain of each bot is measured."""
    deals: Annotated[int, Field(ge=2, le=1_000_000)] = 3000
    """The number of duplicate deals that measure a bot against each agent. They are the same deals for all bots."""

    processes: Annotated[int, Field(ge=1, le=256)] = 1
    """The number of runs that are trained at the same time, each in a process of its own."""
    ray: Annotated[str, Field(pattern=CLUSTER), InWords("HOST:PORT, auto or local")] | None = None
    """A Ray cluster whose cores train in place of processes of this machine: HOST:PORT, or local to start a cluster on
    this machine for this sweep alone, or auto for the one that RAY_ADDRESS names, else the one that runs on this
    machine, else as with local."""

    @field_validator("seeds")
    @classmethod
    def _each_once(cls, value: list[int]) -> list[int]:
        if not value or len(set(value)) < len(value):
            raise SettingError("seeds", quoted(value), "at least one whole number, and each once")
        return value

    @field_validator("against")
    @classmethod
    def _some(cls, value: list[str]) -> list[str]:
        if not value or len(set(value)) < len(value):
            raise SettingError("against", quoted(value), "at least one agent's name, and each once")
        return value

    @model_validator(mode="after")
    def _possible(self) -> SweepConfig:
        for axis, choices in self.grid.items():
            if not choices:
                raise SettingError("grid", f"the axis {axis} without choices", "at least one choice an axis")
            for settings in choices.values() if isinstance(choices, dict) else [{axis: None}]:
                self._not_own("grid", settings)
        self._not_own("settings", self.settings)
        return self

    def _not_own(self, key: str, settings: dict[str, Any]) -> None:
        for name, instead in _OWN.items():
            if name in settings:
                raise SettingError(key, f"the setting {name}", f"other settings; give {instead}")
