"""Figures that are kept as they are made, so that a leaderboard that was interrupted goes on."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from buck_env.base.files import write_json

__all__ = ["Cells"]


class Cells:
    """A folder with one JSON file a cell: the figures, what they follow from, and the seconds they took."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.seconds = 0.0
        """What all cells that were asked for took, also where they were made in an earlier run."""

    def figures(self, name: str, facts: Mapping[str, Any], make: Callable[[], Mapping[str, Any]]) -> dict[str, Any]:
        """The figures of a cell: those that are kept, if they follow from the same facts, or new ones.

        Facts and figures are what JSON can hold.
        """
        path = self._folder / (re.sub(r"[^\w.-]+", "-", name) + ".json")
        cell = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        if cell.get("facts") != facts:
            began = time.monotonic()
            cell = {"facts": dict(facts), "figures": dict(make()), "seconds": round(time.monotonic() - began, 1)}
            write_json(path, cell)
        self.seconds += cell["seconds"]
        figures: dict[str, Any] = cell["figures"]
        return figures
