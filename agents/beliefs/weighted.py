"""Deals drawn by how likely a model was to act as the others did.

What another seat did depends on its own cards alone, and on what all can see. So the chance that the model acts as the
others did is a product with one factor a seat, and whole deals need not be tried: each seat's holdings are rated by
themselves (`holdings.py`), then drawn together so that no card is in two hands (`joint.py`). The cards that no
rated seat has are drawn evenly.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from agents.beliefs.chance import CHANCE, open_chance
from agents.beliefs.discarding import discard_by_model
from agents.beliefs.even import PLAN, draw_evenly, plan_draws
from agents.beliefs.history import recall_decisions
from agents.beliefs.holdings import HOLDING, list_holdings, show_holding, show_rows
from agents.beliefs.joint import draw_together
from agents.beliefs.laying import lay_out
from agents.beliefs.places import DISCARDED, NUM_PLACES, PLACE, next_taker, open_places
from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT
from buck_env.game.options import Phase
from buck_env.game.table import LONGEST_HAND, NONE, TABLE
from buck_env.observation.agent import Agent, probabilities_of
from buck_env.observation.views import Views

__all__ = ["draw_likely"]

ROOM: Final = 1200
"""A seat with at most so many holdings has them all rated."""
SAMPLE, LEAST_SAMPLE = 4, 500
"""Else so many are rated for each deal asked for, at least the latter, and no more than there is room for."""
LEAST: Final = 1e-12
"""The chance of an action that the model would never take."""


def draw_likely(view: Views, model: Agent, stream: int, tables: np.ndarray) -> float:
    """Draw deals for one view into tables, (N,) TABLE, and return how many even, independent draws they are worth.

    0 where none of the holdings rated fit together: the deals are then drawn evenly.
    """
    packed, seen = view.rules.packed(), view.tables
    chances = np.empty(1, CHANCE)
    listed = np.empty((3, ROOM), HOLDING)
    before, actions = np.empty(LONGEST_HAND, TABLE), np.empty(LONGEST_HAND, np.int64)
    seats, numbers, whole = np.full(3, NONE), np.ones(3, np.int64), np.ones(3, np.bool_)
    places = np.empty(NUM_PLACES, PLACE)
    sample = min(max(LEAST_SAMPLE, SAMPLE * len(tables)), ROOM)
    decisions = _prepare(
        seen, packed, view.seats, view.uniforms.view(np.uint64), stream, sample,
        chances, places, listed, before, actions, seats, numbers, whole,
    )  # fmt: skip
    likely = np.ones((3, ROOM))
    for place in np.flatnonzero(seats != NONE):
        holdings = listed[place, : numbers[place]]
        mine = before["seat"][:decisions] == seats[place]
        logs = np.zeros(len(holdings))
        discarded = mine & (before["phase"][:decisions] == Phase.DISCARD)
        if not whole[place] and 0 < discarded.sum() == places["missing"][DISCARDED]:
            logs += discard_by_model(view, model, holdings, before[:decisions][discarded], places, chances)
            mine &= ~discarded
        logs += _log_likelihoods(
            view, model, int(seats[place]), holdings, before[:decisions][mine], actions[:decisions][mine]
        )
        likely[place, : len(holdings)] = np.exp(logs - logs.max())
    drawn = np.empty((len(tables), 3), np.int64)
    together = _finish(seen, packed, view.seats, chances, listed, likely, seats, numbers, drawn, tables)
    if not together:
        return 0.0
    return _effective(drawn[:, ~whole])


def _log_likelihoods(
    view: Views, model: Agent, seat: int, holdings: np.ndarray, before: np.ndarray, actions: np.ndarray
) -> np.ndarray:
    """How likely the model is to act as a seat did in D decisions with each of K holdings: (K,) float64, logarithms."""
    tables = before[:, None].repeat(len(holdings), axis=1)
    taken = actions[:, None].repeat(len(holdings), axis=1)
    show_rows(view.tables, view.rules.packed(), seat, holdings, tables, taken)
    size = taken.size
    views = Views(view.rules, tables.reshape(size), np.full(size, seat), np.full(size, view.uniforms[0]))
    chances = probabilities_of(model, views)[np.arange(size), taken.reshape(size)]
    logs: np.ndarray = np.log(np.maximum(chances, LEAST)).reshape(taken.shape).sum(axis=0)
    return logs


def _effective(drawn: np.ndarray) -> float:
    """What N draws, (N, S), are worth which come from samples of the holdings of S seats.

    A sample is worth as many holdings as there are draws for one pair of draws of the same.
    """
    share = 1 / len(drawn)
    for places in drawn.T:
        counts = np.bincount(places)
        share += float((counts * (counts - 1)).sum()) / max(1, len(drawn) * (len(drawn) - 1))
    return 1 / share


@kernel
def _prepare(
    seen: Any, packed: Any, viewers: Any, keys: Any, stream: int, sample: int,
    chances: Any, places: Any, listed: Any, before: Any, actions: Any, seats: Any, numbers: Any, whole: Any,
) -> int:  # fmt: skip
    """List the holdings of every seat that has decided anything; returns the number of decisions of others."""
    rules, table, viewer = packed[0], seen[0], viewers[0]
    now = np.empty(1, TABLE)
    open_chance(chances[0], keys[0], stream)
    decisions = recall_decisions(table, rules, viewer, now[0], before, actions)
    unseen = open_places(table, rules, viewer, places)
    upcard = unseen & BIT[table.rest[0]] if rules.turn_up else 0
    found = 0
    for seat in range(rules.seats):
        decided = False
        for i in range(decisions):
            decided |= before[i].seat == seat
        gave = table.exchanged & BIT[seat] != 0 and next_taker(table, rules, seat) != NONE
        if decided and not gave:
            seats[found] = seat
            numbers[found], whole[found] = list_holdings(
                table, rules, seat, places, unseen, upcard, sample, chances[0], listed[found]
            )
            found += 1
    for i in range(found, 3):
        listed[i, 0].used = 0
    return decisions


@kernel
def _finish(
    seen: Any, packed: Any, viewers: Any, chances: Any, listed: Any, likely: Any, seats: Any, numbers: Any,
    drawn: Any, tables: Any,
) -> bool:  # fmt: skip
    rules, viewer = packed[0], viewers[0]
    places = np.empty(NUM_PLACES, PLACE)
    plans = np.empty(1, PLAN)
    cards = np.zeros(NUM_PLACES, np.int64)
    unseen = open_places(seen[0], rules, viewer, places)
    together = draw_together(listed["used"], likely, numbers, unseen, chances[0], drawn)
    for i in range(len(tables)):
        tables[i] = seen[0]
        if together:
            for k in range(3):
                if seats[k] != NONE:
                    show_holding(tables[i], rules, seats[k], listed[k, drawn[i, k]])
        unseen = open_places(tables[i], rules, viewer, places)
        upcard = unseen & BIT[tables[i].rest[0]] if rules.turn_up else 0
        plan_draws(places, unseen, upcard, tables[i].dealer, plans[0])
        draw_evenly(places, unseen, tables[i].dealer, plans[0], chances[0], cards)
        lay_out(tables[i], rules, viewer, places, cards, chances[0])
    return together
