"""Figures that are kept as they are made, so that what was interrupted goes on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from buck_env.base.files import write_json
from training.base.provenance import play_alike

__all__ = ["Cells", "file_name"]


def file_name(name: str) -> str:
    """The name of a cell as that of a file or a folder, without an ending."""
    return re.sub(r"[^\w.-]+", "-", name)


class Cells:
    """A folder with one JSON file a cell: the figures, what they follow from, and the seconds they took.

    Facts and figures are what JSON can hold.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.seconds = 0.0
        """What all cells that were asked for took, also where they were made in an earlier run."""

    def figures(self, name: str, facts: Mapping[str, Any], make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        """The figures of a cell: those that are kept, if they follow from the same facts, or new ones."""
        figures = self.kept(name, facts)
        if figures is None:
            began = time.monotonic()
            figures = dict(make())
            self.keep(name, facts, figures, round(time.monotonic() - began, 1))
        return figures

    def kept(self, name: str, facts: Mapping[str, Any]) -> dict[str, Any] | None:
        """The figures that are kept of a cell; None where there are none, or they follow from other facts."""
        path = self._path(name)
        cell = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        if not _follow(cell.get("facts"), facts):
            return None
        self.seconds += cell["seconds"]
        figures: dict[str, Any] = cell["figures"]
        return figures

    def keep(self, name: str, facts: Mapping[str, Any], figures: Mapping[str, Any], seconds: float) -> None:
        """Keep the figures of a cell, which took so many seconds."""
        write_json(self._path(name), {"facts": dict(facts), "figures": dict(figures), "seconds": seconds})
        self.seconds += seconds

    def _path(self, name: str) -> Path:
        return self._folder / f"{file_name(name)}.json"


def _follow(kept: Any, facts: Mapping[str, Any]) -> bool:
    """Whether figures that follow from the facts that are kept are those that follow from others."""
    if isinstance(kept, dict) and play_alike(kept.get("versions")):
        kept = {**kept, "versions": facts.get("versions")}
    return bool(kept == facts)
