"""The panels of help that list more than a command's options. They are made when help is asked for, not before."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING

from cyclopts.help import DefaultFormatter, HelpEntry, HelpPanel

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

__all__ = ["PanelsAfter", "agent_panels", "settings_panels"]


class PanelsAfter:
    """Formats the panel of a group of options or commands, and more panels after it."""

    def __init__(self, panels: Callable[[], Iterable[HelpPanel]]) -> None:
        self._panels = panels

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        for one in (panel, *self._panels()):
            DefaultFormatter()(console, options, one)


def settings_panels(module: str, name: str, shipped: str) -> list[HelpPanel]:
    """The shipped configurations of a kind, and the settings of their class, a panel a section."""
    from training.base.config import shipped_configs
    from training.base.settings import settings_of

    sections = groupby(settings_of(getattr(import_module(module), name)), key=lambda setting: setting.section)
    panels = [
        _panel(
            f"Settings: {section}",
            [
                HelpEntry(
                    positive_names=(setting.name,),
                    description=f"{setting.meaning} Allowed: {setting.allowed}.",
                    default=setting.default,
                )
                for setting in settings
            ],
        )
        for section, settings in sections
    ]
    configs = [HelpEntry(positive_names=(key,), description=told) for key, told in shipped_configs(shipped).items()]
    return [_panel("Shipped configurations", configs), *panels]


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


def _panel(title: str, entries: list[HelpEntry]) -> HelpPanel:
    return HelpPanel(format="command", title=title, entries=entries)
