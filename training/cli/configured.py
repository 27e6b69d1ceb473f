"""The configuration of a command: a file or a shipped one, and the overrides typed after it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from buck_env import BuckError

if TYPE_CHECKING:
    from training.learning.run.config import RunConfig
    from training.sweep.config import SweepConfig
    from training.tournament.config import TournamentConfig

__all__ = ["configuration"]

C = TypeVar("C", bound="RunConfig | SweepConfig | TournamentConfig")


def configuration(kind: type[C], folder: str, name: str, overrides: Iterable[str]) -> tuple[C, Path]:
    """A configuration, from a file or a folder of shipped ones, with its overrides; and its folder of output.

    ConfigError names the key and the value that are not allowed; BuckError, a folder whose name cannot be printed.
    """
    from training.base.config import find_config, load_config

    config = load_config(kind, find_config(name, folder), overrides)
    out = Path(config.out)
    if not str(out).isprintable():
        raise BuckError(f"out: {str(out)!r} is not allowed; allowed: a folder whose name can be printed")
    return config, out
