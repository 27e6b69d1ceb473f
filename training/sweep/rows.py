"""What a sweep came to: a row for each combination and agent, with one interval over seeds and one over deals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

import numpy as np

from training.measuring.estimates import Estimate
from training.sweep.plan import Cell

__all__ = ["Result", "Row", "gain_of", "rows_of"]

Result = tuple[Cell, Mapping[str, Any]]
"""A run of a sweep, and its figures."""


@dataclass(frozen=True)
class Row:
    """The gain of the bots of one combination over one agent."""

    choices: tuple[str, ...]
    against: str
    seeds: int
    """The number of runs."""
    over_seeds: Estimate | None
    """The mean gain, one cluster a run: the interval says what other seeds might bring. None for a single run."""
    over_deals: Estimate
    """The same mean, one cluster a deal: the interval says how well these bots are measured."""
    seconds: float
    """The median time that a run took to learn."""


def gain_of(figures: Mapping[str, Any], against: str) -> Estimate:
    """The gain of one bot over an agent."""
    return Estimate.of(np.array(figures["gain_numerators"][against]), figures["seats"])


def rows_of(results: Iterable[Result], against: Sequence[str]) -> list[Row]:
    """The rows of some results, in their order; those of one combination follow one another."""
    rows = []
    for choices, group in groupby(results, key=lambda result: result[0].choices):
        runs = [figures for _, figures in group]
        for name in against:
            means = np.array([gain_of(figures, name).mean for figures in runs])
            deals = np.sum([figures["gain_numerators"][name] for figures in runs], axis=0)
            spread = Estimate.of(means) if len(runs) > 1 else None
            seconds = float(np.median([figures["seconds"] for figures in runs]))
            over_deals = Estimate.of(deals, runs[0]["seats"] * len(runs))
            rows.append(Row(choices, name, len(runs), spread, over_deals, seconds))
    return rows
