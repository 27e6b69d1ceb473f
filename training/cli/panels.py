"""The panels of help that list more than a command's options. They are made when help is asked for, not before."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import fields
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts.help import DefaultFormatter, HelpEntry, HelpPanel

from training.cli.learners import LEARNERS, settings_of_learner

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

__all__ = ["PanelsAfter", "agent_panels", "learner_panels", "settings_panels"]


class PanelsAfter:
    """Formats the panel of a group of options or commands, and more panels after it."""

    def __init__(self, panels: Callable[[], Iterable[HelpPanel]]) -> None:
        self._panels = panels

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        for one in (panel, *self._panels()):
            DefaultFormatter()(console, options, one)


def settings_panels(module: str, name: str, shipped: str) -> list[HelpPanel]:
    """The shipped configurations of a kind, and the settings of their class, a panel a section."""
    return [_shipped_panel(shipped), *_section_panels(getattr(import_module(module), name), "Settings")]


def learner_panels() -> list[HelpPanel]:
    """The shipped configurations of `buck train`, the settings of its first learner, and those that others add."""
    from training.learning.run.config import NetworkRunConfig

    shared = {field.name for field in fields(NetworkRunConfig)}
    first, *others = LEARNERS
    panels = [_shipped_panel("train"), *_section_panels(settings_of_learner(first), "Settings")]
    for name in others:
        panels += _section_panels(settings_of_learner(name), f"Settings with learner: {name}", without=shared)
    return panels


def _shipped_panel(folder: str) -> HelpPanel:
    from buck_env.base.shipped import shipped_configs

    configs = [
        HelpEntry(positive_names=(key,), description=_first_comment(path))
        for key, path in shipped_configs(folder).items()
    ]
    return _panel("Shipped configurations", configs)


def _section_panels(kind: type, title: str, without: Collection[str] = ()) -> list[HelpPanel]:
    """The settings of a class, a panel a section."""
    from training.base.settings import settings_of

    shown = [setting for setting in settings_of(kind).values() if setting.name not in without]
    return [
        _panel(
            f"{title}: {section}",
            [
                HelpEntry(
                    positive_names=(setting.name,),
                    description=f"{setting.meaning} Allowed: {setting.allowed}.",
                    default=setting.default,
                )
                for setting in settings
            ],
        )
        for section, settings in groupby(shown, key=lambda setting: setting.section)
    ]


def agent_panels() -> list[HelpPanel]:
    """The kinds of agents: how each is named, and what it is."""
    from agents.naming.kinds import KINDS, Kind

    def example_of(kind: Kind) -> str:
        return "" if kind.example == kind.form else f", as in {kind.example}"

    entries = [
        HelpEntry(
            positive_names=(kind.form,),
            description=f"{kind.meaning}{example_of(kind)}{' (runs code)' if kind.runs_code else ''}",
        )
        for kind in KINDS
    ]
    return [_panel("Agents, as commands and configurations name them", entries)]


def _first_comment(path: Path) -> str:
    """What a shipped configuration is for, as its first line says."""
    return path.read_text(encoding="utf-8").partition("\n")[0].removeprefix("# ")


def _panel(title: str, entries: list[HelpEntry]) -> HelpPanel:
    return HelpPanel(format="command", title=title, entries=entries)
