"""Packages that load the file of a name when the name is first used."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

__all__ = ["lazily"]


def lazily(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and the `__dir__` of a package, of its `__name__` and its `__file__`.

    What they find are the imports that stand in its `__init__.py` under ``if TYPE_CHECKING:``, where type checkers
    read them too.
    """
    homes = _imports_for_types(Path(file))

    def find(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        home = homes[name]
        value = import_module(f"{home}.{name}") if home == package else getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes})

    return find, names


def _imports_for_types(path: Path) -> dict[str, str]:
    """Name: module of every ``from MODULE import NAME`` for type checkers alone."""
    return {
        alias.name: node.module or ""
        for branch in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(branch, ast.If) and ast.unparse(branch.test) == "TYPE_CHECKING"
        for node in branch.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
