"""The configurations that ship with this project: house rules, training runs, sweeps, tournaments."""

from __future__ import annotations

from pathlib import Path

__all__ = ["shipped_configs"]


def shipped_configs(kind: str) -> dict[str, Path]:
    """The YAML files of a kind (`rules`, `train`, `ppo`, `sweep`, `tournaments`) by their names.

    In a checkout they lie beside the packages, in a wheel inside this one.
    """
    package = Path(__file__).resolve().parent.parent
    folder = next((path for path in (package / "configs", package.parent / "configs") if path.is_dir()), package)
    return {path.stem: path for path in sorted((folder / kind).glob("*.yaml"))}
