"""Which entries of an observation can be other than 0 where a bot plays: by its rules, and by what it plays for."""

from __future__ import annotations

import numpy as np

from agents.bots.network import input_scale
from buck_env import PIECES, Rules
from buck_env.observation.pieces import usable

__all__ = ["used_entries"]


def used_entries(rules: Rules, objective: str) -> np.ndarray:
    """The places (N,) int32, in order, of the entries that a network for an objective can see other than 0."""
    by_rules = np.concatenate([usable(piece, rules).ravel() for piece in PIECES])
    return np.flatnonzero(by_rules & (input_scale(objective) != 0)).astype(np.int32)
