"""Phases, legal sets and actions as hand records write them."""

from __future__ import annotations

from functools import cache

import numpy as np

from buck_env.base.errors import RecordError
from buck_env.game import engine
from buck_env.game.actions import NUM_ACTIONS, action_id, action_text
from buck_env.game.options import Phase
from buck_env.game.rules import Rules
from buck_env.records.schema import Step

__all__ = ["action_of", "legal_texts", "mask_texts", "phase_text"]


def phase_text(table: np.ndarray) -> str:
    """The phase of a table as records name it; ``over`` when the hand is."""
    return Phase(int(table["phase"][0])).name.lower()


def legal_texts(table: np.ndarray, rules: Rules) -> list[str]:
    """The legal set of a table, shape (1,), as record texts, sorted as ASCII strings."""
    return mask_texts(int(engine.legal(table[0], rules.packed()[0])), phase_text(table))


def mask_texts(mask: int, phase: str) -> list[str]:
    """A set of actions, a bit each, as record texts, sorted as ASCII strings."""
    return [*_mask_texts(mask, phase)]


@cache
def _mask_texts(mask: int, phase: str) -> tuple[str, ...]:
    return tuple(sorted(action_text(action, phase) for action in range(NUM_ACTIONS) if mask >> action & 1))


def action_of(step: Step, place: str) -> int:
    """The action id of a step; RecordError, which begins with `place`, where the step's phase has no such action."""
    try:
        action = action_id(step["action"])
    except ValueError as error:
        raise RecordError(f"{place}: {error}") from None
    if step["action"] != action_text(action, step["phase"]) and not step["action"].startswith(f"{step['phase']}:10"):
        raise RecordError(f"{place}: {step['action']!r} is no action of the phase {step['phase']}")
    return action
