"""Numbers and choices as callers may give them."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, TypeGuard

import numpy as np

from buck_env.base.errors import BuckError, IllegalActionError

__all__ = ["check_one_of", "checked_seed", "is_whole", "whole_number", "whole_numbers"]


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is a whole number, Python's or numpy's, and no bool."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_one_of(name: str, value: object, allowed: Sequence[str]) -> None:
    """BuckError, which names what is allowed, where a value is none of these texts."""
    if value not in allowed:
        raise BuckError(f"{name}: {value!r} is not allowed; allowed: {', '.join(allowed)}")


def checked_seed(seed: Any) -> int | None:
    """A seed, or None where there is none."""
    if seed is None:
        return None
    if not is_whole(seed) or not 0 <= seed < 2**63:
        raise BuckError(f"seed: {seed!r} is not a whole number of 0 to 2**63 - 1")
    return int(seed)


def whole_number(action: Any) -> int:
    """One action, a whole number of Python's, numpy's, torch's or any other library's; IllegalActionError otherwise."""
    alone = action.item() if isinstance(action, np.ndarray) and action.size == 1 else action
    try:
        if not isinstance(alone, bool):
            return operator.index(alone)
    except TypeError:
        pass
    raise IllegalActionError(f"action {action!r} is not a whole number")


def whole_numbers(actions: Any, n: int) -> np.ndarray:
    """Actions as int64 of shape (n,); IllegalActionError where they are anything else."""
    try:
        array = np.asarray(actions)
    except (TypeError, ValueError):  # rows of different lengths, or a tensor on another device
        array = np.empty(0)
    if array.shape != (n,) or array.dtype.kind not in "iu":
        raise IllegalActionError(
            f"actions: an array of whole numbers of shape ({n},) is needed, not {array.dtype} of shape {array.shape}"
        )
    return np.ascontiguousarray(array, np.int64)
