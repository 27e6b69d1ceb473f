"""Positions from hands that agents play, one decision of a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np

from agents import Agent
from buck_env.base.errors import BuckError
from buck_env.environments.asking import ask_all, views_at
from buck_env.environments.tables import Tables
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.game.table import TABLE
from buck_env.observation.views import Views
from training.measuring.duplicate import deal_seeds

__all__ = ["Sample", "sample_positions"]

_MOST: Final = 50
"""Rounds of hands without enough positions after which there is no more looking for them."""


class Sample(NamedTuple):
    """B decisions, each of another hand."""

    views: Views
    """The decisions (B) as the seats to act know them."""
    agents: np.ndarray
    """(B,) int64: the place of the agent that decides."""
    actions: np.ndarray
    """(B,) int64: what it did."""
    seeds: np.ndarray
    """(B,) uint64: the seed of the deal."""


def sample_positions(
    rules: Rules, agents: Mapping[str, Agent], phases: Sequence[str], number: int, *, seed: int, stream: int
) -> Sample:
    """So many decisions with two legal actions or more, in some phases, of hands at the start scores.

    Each seat of each hand is given to one of the agents by chance, and one of the hand's decisions in these phases is
    taken, all as likely. What is found follows from the seed and the stream alone. BuckError where the hands hold too
    few.
    """
    chance = np.random.default_rng([seed, stream])
    parts: list[Sample] = []
    found = 0
    for batch in range(_MOST):
        seeds = deal_seeds(seed, number, stream, first=batch * number)
        parts.append(_one_a_hand(rules, agents, phases, seeds, chance))
        found += len(parts[-1].seeds)
        if found >= number:
            columns = [np.concatenate(column)[:number] for column in zip(*(part[1:] for part in parts), strict=True)]
            return Sample(Views.join([part.views for part in parts]).take(np.arange(number)), *columns)
    raise BuckError(
        f"{rules.name}: {_MOST * number:,} hands hold {found:,} decisions in {', '.join(phases)}, of {number:,}; "
        "give other phases, or agents that leave them the choice"
    )


def _one_a_hand(
    rules: Rules, agents: Mapping[str, Agent], phases: Sequence[str], seeds: np.ndarray, chance: np.random.Generator
) -> Sample:
    """One decision of each hand that has any, in the order of the seeds."""
    hands = len(seeds)
    tables = Tables(rules, hands, skip_forced=True)
    tables.reset_seeds(seeds)
    seating = chance.integers(len(agents), size=(hands, rules.seats))
    wanted = np.array([phase in phases for phase in (*PHASES, "over")])
    seen = np.zeros(hands, np.int64)
    kept, uniforms = np.empty(hands, TABLE), np.zeros(hands)
    deciding, done = np.zeros(hands, np.int64), np.zeros(hands, np.int64)
    while (rows := np.flatnonzero(tables.episodes["over"] == 0)).size:
        places = np.full(hands, -1)
        places[rows] = seating[rows, tables.seats[rows]]
        actions = ask_all(tables, list(agents.items()), places)
        rows = rows[wanted[tables.tables["phase"][rows]] & (tables.masks[rows].sum(axis=1) > 1)]
        seen[rows] += 1
        rows = rows[chance.random(len(rows)) * seen[rows] < 1]  # the k-th takes the place of one before, 1 in k times
        views = views_at(tables, rows)
        kept[rows], uniforms[rows] = views.tables, views.uniforms
        deciding[rows], done[rows] = places[rows], actions[rows]
        tables.step(actions)
    rows = np.flatnonzero(seen)
    whole = kept.take(rows)
    return Sample(
        Views(rules, whole, whole["seat"].astype(np.int64), uniforms[rows]), deciding[rows], done[rows], seeds[rows]
    )
