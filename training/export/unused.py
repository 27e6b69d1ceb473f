"""Which entries of an observation can be other than 0 where a bot plays: by its rules, and what it plays for."""

from __future__ import annotations

import numpy as np

from agents.bots.network import input_scale
from buck_env import LAYOUT, OBSERVATION_SIZE, Rules

__all__ = ["used_entries"]


def used_entries(rules: Rules, objective: str) -> np.ndarray:
    """The places (N,) int32, in order, of the entries that a network for an objective can see other than 0."""
    used = input_scale(objective) != 0

    def unused(name: str, places: slice = slice(None)) -> None:
        used[np.arange(OBSERVATION_SIZE)[LAYOUT[name]][places]] = False

    if rules.exchange == "none":
        for name in ("exchanged", "kept", "laid"):
            unused(name)
        if "discard" not in rules.phases:
            unused("taken")
            unused("discards")
    if rules.making != "bid":
        unused("bids")
        unused("passed", slice(8, 12))
    if rules.making != "order":
        unused("passed", slice(0, 8))
    if not rules.turn_up:
        unused("upcard")
    if rules.illegal_play != "renege":
        unused("reneged")
    if rules.hands is None:
        unused("hands_left")
    if rules.seats == 3:
        unused("tricks", slice(15, 20))
        unused("played_by", slice(72, 96))
    return np.flatnonzero(used).astype(np.int32)
