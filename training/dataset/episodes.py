"""A hand as episodes: what each seat saw, what it did and what that brought, as the environment `BuckEuchre-v0` gives
it to a learner in that seat."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.hidden import hide
from buck_env.observation.views import Views
from buck_env.records import HandRecord, replay, rules_of
from buck_env.records.texts import action_of

__all__ = ["Episode", "episodes_of"]


@dataclass(frozen=True)
class Episode:
    """The T decisions of a seat in a hand."""

    seat: int
    observations: np.ndarray
    """(T + 1, D) int8: the seat's view at each of its decisions, and at the end."""
    masks: np.ndarray
    """(T + 1, A) int8: the legal actions; all of them at the end, where none is to be taken."""
    actions: np.ndarray
    """(T,) int64."""


def episodes_of(record: HandRecord) -> Iterator[Episode]:
    """The episodes of the seats that had something to decide, from seat 0 on. RecordError where the hand cannot be."""
    rules, where = rules_of(record), "record"
    tables = np.concatenate([table.copy() for table in replay(record, where)])
    actions = np.array([action_of(step, where) for step in record["steps"]], np.int64)
    seats = np.array([step["seat"] for step in record["steps"]], np.int64)
    for seat in range(rules.seats):
        own = np.flatnonzero(seats == seat)
        if len(own):
            seen, viewers = tables[np.append(own, len(actions))], np.full(len(own) + 1, seat)
            views = Views(rules, hide(seen, viewers, rules), viewers, np.zeros(len(seen)))
            masks = np.concatenate([views.take(np.arange(len(own))).action_mask, np.ones((1, NUM_ACTIONS), np.int8)])
            yield Episode(seat, views.observation, masks, actions[own])
