"""Spaces and arguments that the adapters share."""

from __future__ import annotations

from typing import Literal

import numpy as np
from gymnasium import spaces

from buck_env.actions import NUM_ACTIONS
from buck_env.errors import BuckError
from buck_env.layout import OBSERVATION_SIZE

__all__ = ["RENDER_MODES", "ObsDtype", "action_space", "checked_dtype", "dict_space", "observation_box"]

ObsDtype = Literal["int8", "float32"]

RENDER_MODES = ["ansi", "rgb_array", "human"]


def checked_dtype(obs_dtype: str) -> np.dtype:
    """The dtype of observations; masks are int8 always."""
    if obs_dtype not in ("int8", "float32"):
        raise BuckError(f"obs_dtype: {obs_dtype!r} is not allowed; allowed: int8, float32")
    return np.dtype(obs_dtype)


def checked_render_mode(render_mode: str | None) -> str | None:
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise BuckError(f"render_mode: {render_mode!r} is not allowed; allowed: {', '.join(RENDER_MODES)}, or None")
    return render_mode


def observation_box(dtype: np.dtype) -> spaces.Box:
    """(D,): one observation."""
    return spaces.Box(-128, 127, (OBSERVATION_SIZE,), dtype.type)


def dict_space(dtype: np.dtype) -> spaces.Dict:
    """An observation and the mask of legal actions."""
    mask = spaces.Box(0, 1, (NUM_ACTIONS,), np.int8)
    return spaces.Dict({"observation": observation_box(dtype), "action_mask": mask})


def action_space() -> spaces.Discrete:
    """The 43 actions."""
    return spaces.Discrete(NUM_ACTIONS)
