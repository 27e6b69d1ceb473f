"""What happened in the hands that were learned from: counts, and each figure with the number it is out of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.game.table import NONE
from buck_env.observation.layout import LAYOUT
from training.measuring.counts import SEAT_COUNTS, count_seat, record_of

__all__ = [
    "COUNTS",
    "HandCounts",
    "by_phase",
    "count_views",
    "explained_variance",
    "shares",
    "term_figures",
]

COUNTS: Final = record_of("hands", "redeals", "undecided", *SEAT_COUNTS)
"""The record of a learner's counts; the fields `SEAT_COUNTS` are those of its own seats."""

_SHARES = {
    "game/redeals": ("redeals", "hands"),
    "game/hands_without_decision": ("undecided", "hands"),
    "game/made": ("made", "hands"),
    "game/bid_success": ("successes", "made"),
    "game/bid_level": ("level", "made"),
    "game/stay_rate": ("stays", "stay_decisions"),
    "game/stay_success": ("stay_successes", "stayers"),
    "game/walkovers": ("walkovers", "made"),
    "game/sweeps": ("sweeps", "hands"),
}


class HandCounts:
    """Counts over the hands that end at N tables."""

    def __init__(self, rules: Rules, tables: int) -> None:
        self._packed = rules.packed()
        self.counts = np.zeros(1, COUNTS)
        self.before = np.full(tables, -1, np.int64)
        self.decided = np.zeros(tables, np.bool_)
        """Whether the learner has decided anything in the hand in progress, (N,)."""

    def watch(self, numbers: np.ndarray, finals: np.ndarray, own: np.ndarray) -> None:
        """After each step: the number (N,) of the hand in progress, the last finished tables (N,) TABLE, and which
        seats are the learner's (N, S)."""
        _count(numbers, finals, own, self._packed, self.before, self.decided, self.counts)

    def figures(self) -> dict[str, float]:
        """The shares of these counts."""
        return shares(self.counts)


def shares(counts: np.ndarray) -> dict[str, float]:
    """The shares of counts (1,) COUNTS, each under its name, and under ``name/of`` what it is of."""
    figures: dict[str, float] = {}
    for name, (part, whole) in _SHARES.items():
        if of := int(counts[whole].sum()):
            figures[name] = int(counts[part].sum()) / of
            figures[f"{name}/of"] = of
    return figures


def count_views(views: np.ndarray, rules: Rules) -> np.ndarray:
    """The same counts (1,) COUNTS of hands that the learner saw to their end from one seat, by its last view (B, D) of
    each."""

    def seen(piece: str) -> np.ndarray:
        return views[:, LAYOUT[piece]] != 0

    trump = seen("trump").any(axis=1)
    made = seen("maker")[:, 0] & trump
    contract = seen("contract") @ np.arange(1, 9)
    tricks = seen("tricks")[:, :5] @ np.arange(1, 6)
    alone = seen("dropped").sum(axis=1) == rules.seats - 1
    stays = seen("stayed")[:, 0] & ~seen("maker")[:, 0]
    drops = seen("dropped")[:, 0] & ~seen("maker")[:, 0]
    counted = {
        "hands": np.ones(len(views)),
        "redeals": ~trump,
        "undecided": np.zeros(len(views)),
        "made": made,
        "successes": made & (alone | (tricks >= contract)),
        "level": made * contract,
        "stay_decisions": stays | drops,
        "stays": stays,
        "stayers": stays,
        "stay_successes": stays & (tricks >= rules.stayer_needs),
        "walkovers": made & alone,
        "sweeps": (tricks == 5) & ~alone,
    }
    counts = np.zeros(1, COUNTS)
    for name, values in counted.items():
        counts[name] = values.sum()
    return counts


def by_phase(values: np.ndarray, phases: np.ndarray) -> dict[str, float]:
    """The mean of values (B,) in each phase (B,) that occurs, by the phase's name."""
    counts = np.bincount(phases, minlength=len(PHASES))
    sums = np.bincount(phases, weights=values, minlength=len(PHASES))
    return {name: float(sums[i] / counts[i]) for i, name in enumerate(PHASES) if counts[i]}


def term_figures(terms: Sequence[Mapping[str, np.ndarray]], phases: np.ndarray) -> dict[str, float]:
    """The means over minibatches of the terms of the loss, () or by decision (B,) each; of those by decision also the
    mean in each phase, phases (R,) being those of the minibatches' decisions one after the other."""
    figures = {}
    for name, first in terms[0].items():
        values = [minibatch[name] for minibatch in terms]
        if first.ndim == 0:
            figures[name] = float(np.mean([float(value) for value in values]))
            continue
        decisions = np.concatenate(values)
        figures[name] = float(decisions.mean())
        figures |= {f"{name}/{phase}": mean for phase, mean in by_phase(decisions, phases).items()}
    return figures


def explained_variance(errors: np.ndarray, returns: np.ndarray, phases: np.ndarray) -> dict[str, float]:
    """How much of the returns (B,) the values explain that are off by errors (B,), in all and in each phase (B,)."""
    figures = {"value/explained_variance": _explained(errors, returns)}
    for i, phase in enumerate(PHASES):
        there = phases == i
        if there.sum() > 1:
            figures[f"value/explained_variance/{phase}"] = _explained(errors[there], returns[there])
    return figures


def _explained(errors: np.ndarray, returns: np.ndarray) -> float:
    return 1 - float(np.var(errors)) / max(float(np.var(returns)), 1e-8)


@kernel
def _count(
    numbers: Any, finals: Any, own: Any, packed: Any, before: Any, decided: Any, counts: Any
) -> None:  # fmt: skip
    rules, record = packed[0], counts[0]
    for n in range(len(numbers)):
        if numbers[n] == before[n]:
            continue
        if before[n] >= 0:
            table = finals[n]
            record.hands += 1
            record.redeals += table.trump == NONE
            record.undecided += not decided[n]
            decided[n] = False
            for seat in range(rules.seats):
                if own[n, seat]:
                    count_seat(table, rules, seat, record)
        before[n] = numbers[n]
