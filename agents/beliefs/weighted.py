"""Deals drawn by how likely a model was to act as the others did.

What another seat did depends on its own cards alone, and on what all can see. So the chance that the model acts as the
others did is a product with one factor a seat, and whole deals need not be tried: each seat's holdings are rated by
themselves (`holdings.py`; where they are many, those that look likely, `choosing.py`), then drawn together so that no
card is in two hands (`joint.py`). The cards that no rated seat has are drawn evenly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from agents.beliefs.chance import CHANCE, open_chance
from agents.beliefs.choosing import choose_likely, shares_of, sizes_for
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

MOST_LISTED: Final = 1200
"""A seat with at most so many holdings has them all rated."""
LEAST: Final = 1e-12
"""The chance of an action that the model would never take."""


def draw_likely(view: Views, model: Agent, stream: int, tables: np.ndarray) -> float:
    """Draw deals for one view into tables, (N,) TABLE, and return how many even, independent draws they are worth.

    0 where none of the holdings rated fit together: the deals are then drawn evenly.
    """
    packed, seen = view.rules.packed(), view.tables
    chances = np.empty(1, CHANCE)
    sizes = sizes_for(len(tables))
    listed = np.empty((3, max(MOST_LISTED, sizes.pool)), HOLDING)
    before, actions = np.empty(LONGEST_HAND, TABLE), np.empty(LONGEST_HAND, np.int64)
    seats, numbers, whole = np.full(3, NONE), np.ones(3, np.int64), np.ones(3, np.bool_)
    places = np.empty(NUM_PLACES, PLACE)
    decisions = _prepare(
        seen, packed, view.seats, view.uniforms.view(np.uint64), stream, sizes.pool,
        chances, places, listed, before, actions, seats, numbers, whole,
    )  # fmt: skip
    rater = _Rater(view, model, before[:decisions], actions[:decisions], places, chances)
    others = [int(place) for place in np.flatnonzero(seats != NONE)]
    first = [listed[place, : numbers[place] if whole[place] else sizes.pilot] for place in others]
    rated = rater.rate(seats[others], first, whole[others]) if others else []
    logs = dict(zip(others, rated, strict=True))
    sampled = [place for place in others if not whole[place]]
    odds = {}
    if sampled:
        numbers_chosen = shares_of([logs[place] for place in sampled], sizes.chosen)
        for place, number in zip(sampled, numbers_chosen, strict=True):
            pilot, pool = np.split(listed[place, : sizes.pool], [sizes.pilot])
            odds[place] = np.empty(sizes.pool)
            numbers[place] = sizes.pilot + choose_likely(pilot, logs[place], pool, number, chances, odds[place])
        second = [listed[place, sizes.pilot : numbers[place]] for place in sampled]
        rated = rater.rate(seats[sampled], second, whole[sampled])
        for place, more in zip(sampled, rated, strict=True):
            logs[place] = np.concatenate([logs[place], more]) - np.log(odds[place][: numbers[place]])
    likely = np.ones((3, int(numbers.max())))
    for place in others:
        likely[place, : numbers[place]] = np.exp(logs[place] - logs[place].max())
    drawn = np.empty((len(tables), 3), np.int64)
    together = _finish(seen, packed, view.seats, chances, listed, likely, seats, numbers, drawn, tables)
    if not together:
        return 0.0
    return _effective(drawn[:, ~whole])


class _Rater:
    """Says how likely a model is to act as the others did, by what they may have held; one view."""

    def __init__(
        self,
        view: Views,
        model: Agent,
        before: np.ndarray,
        actions: np.ndarray,
        places: np.ndarray,
        chances: np.ndarray,
    ) -> None:
        self._view, self._model = view, model
        self._before, self._actions = before, actions
        self._places, self._chances = places, chances

    def rate(self, seats: np.ndarray, holdings: Sequence[np.ndarray], whole: np.ndarray) -> list[np.ndarray]:
        """The logarithms, (K,) float64 a seat, of how likely the model is to act as each seat did with each of its K
        holdings. All are asked together. Where not all holdings are listed, the model chooses a dealer's discards."""
        parts = []
        for seat, held, every in zip(seats, holdings, whole, strict=True):
            mine = self._before["seat"] == seat
            discarded = mine & (self._before["phase"] == Phase.DISCARD)
            logs = np.zeros(len(held))
            if not every and 0 < discarded.sum() == self._places["missing"][DISCARDED]:
                logs += discard_by_model(
                    self._view, self._model, held, self._before[discarded], self._places, self._chances
                )
                mine &= ~discarded
            parts.append((seat, held, np.flatnonzero(mine), logs))
        ends = np.cumsum([len(mine) * len(held) for _, held, mine, _ in parts])
        size = int(ends[-1])
        tables, taken = np.empty(size, TABLE), np.empty(size, np.int64)
        for (seat, held, mine, _), then, acted in zip(
            parts, np.split(tables, ends[:-1]), np.split(taken, ends[:-1]), strict=True
        ):
            shape = len(mine), len(held)
            then, acted = then.reshape(shape), acted.reshape(shape)
            then[:], acted[:] = self._before[mine][:, None], self._actions[mine][:, None]
            show_rows(self._view.tables, self._view.rules.packed(), seat, held, then, acted)
        views = Views(self._view.rules, tables, tables["seat"].astype(np.int64), np.full(size, self._view.uniforms[0]))
        rated = np.log(np.maximum(probabilities_of(self._model, views)[np.arange(size), taken], LEAST))
        for (_, held, mine, logs), own in zip(parts, np.split(rated, ends[:-1]), strict=True):
            logs += own.reshape(len(mine), len(held)).sum(axis=0)
        return [logs for *_, logs in parts]


def _effective(drawn: np.ndarray) -> float:
    """What N draws, (N, S), are worth which come from samples of the holdings of S seats.

    What a deal is worth is a sum: what each seat's holding adds, and what holdings add together. Two draws that share
    one seat's holding share its part, and no more. So the variance of a mean is at most that of one draw, times 1 / N
    and the chance that two draws share the holding of the seat where that is likeliest.
    """
    most = 0.0
    for places in drawn.T:
        counts = np.bincount(places)
        most = max(most, float((counts * (counts - 1)).sum()) / max(1, len(drawn) * (len(drawn) - 1)))
    return 1 / (1 / len(drawn) + most)


@kernel
def _prepare(
    seen: Any, packed: Any, viewers: Any, keys: Any, stream: int, pool: int,
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
                table, rules, seat, places, unseen, upcard, MOST_LISTED, pool, chances[0], listed[found]
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
