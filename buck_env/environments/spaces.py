"""Spaces, and options of `reset`, that the adapters share."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from buck_env.base.errors import BuckError
from buck_env.game.actions import NUM_ACTIONS
from buck_env.observation.layout import OBSERVATION_SIZE

__all__ = [
    "action_space",
    "checked_options",
    "chosen_tables",
    "dict_space",
    "observation_box",
]

_INT8 = np.dtype(np.int8)


def checked_options(options: Any, allowed: Collection[str]) -> dict[str, Any]:
    """The options of a reset, none by default; BuckError names one that the environment does not have."""
    if options is not None and not isinstance(options, Mapping):
        raise BuckError(f"options: {options!r} is not a mapping of option to value")
    for key in options or {}:
        if key not in allowed:
            known = f"allowed: {', '.join(allowed)}" if allowed else "this environment has none"
            raise BuckError(f"options: {key!r} is not known; {known}")
    return dict(options or {})


def chosen_tables(options: Mapping[str, Any] | None, tables: int) -> np.ndarray:
    """The tables that a reset is for, (N,) bool: those of ``{"reset_mask": (N,) bool}``, or all."""
    chosen: np.ndarray = np.ones(tables, np.bool_)
    for value in checked_options(options, ["reset_mask"]).values():
        try:
            chosen = np.asarray(value)
        except ValueError:  # rows of different lengths
            chosen = np.empty(0)
        if chosen.shape != (tables,) or chosen.dtype != np.bool_ or not chosen.any():
            raise BuckError(f"options: reset_mask: needs bools of shape ({tables},), one at least true")
    return chosen


def observation_box(dtype: np.dtype) -> spaces.Box:
    """(D,): one observation."""
    return spaces.Box(-128, 127, (OBSERVATION_SIZE,), dtype.type)


def dict_space(dtype: np.dtype, key: str = "observation", mask_dtype: np.dtype = _INT8) -> spaces.Dict:
    """An observation, under its key, and the mask of legal actions."""
    mask = spaces.Box(0, 1, (NUM_ACTIONS,), mask_dtype.type)
    return spaces.Dict({key: observation_box(dtype), "action_mask": mask})


def action_space() -> spaces.Discrete:
    """The 43 actions."""
    return spaces.Discrete(NUM_ACTIONS)
