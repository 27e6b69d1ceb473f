"""Deals that fit what a seat knows, for whole batches of decisions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agents.beliefs.chance import CHANCE, open_chance
from agents.beliefs.even import PLAN, draw_evenly, plan_draws
from agents.beliefs.laying import lay_out
from agents.beliefs.places import NUM_PLACES, PLACE, open_places
from agents.beliefs.weighted import draw_likely
from buck_env.base.checks import is_whole
from buck_env.base.compiled import compiling, kernel
from buck_env.base.errors import BuckError
from buck_env.game.bits import BIT
from buck_env.game.table import TABLE
from buck_env.observation.agent import Agent
from buck_env.observation.views import Views

__all__ = ["Deals", "draw_deals"]


class Deals(NamedTuple):
    """N deals for each of B decisions, which fit all that the seat to act knows."""

    tables: np.ndarray
    """(B, N) TABLE: the table at the moment of the decision, every hidden card filled in."""
    weights: np.ndarray
    """(B, N) float64: how likely each deal is, as a share of its row, which sums to 1."""
    effective: np.ndarray
    """(B,) float64: how many even, independent draws a row is worth."""


def draw_deals(views: Views, number: int, *, model: Agent | None = None, stream: int = 0) -> Deals:
    """Draw `number` deals for each of B views, every deal that fits as likely as every other.

    With a model a deal is as much likelier as the model was likelier to act as the other seats did in this hand.
    Chance is keyed by `views.uniforms` and `stream` (0 to 2**63 - 1): the same view, number and stream give the same
    deals, however views are batched. BuckError where `number` or `stream` is not such a number.
    """
    for name, value, least in (("number", number, 1), ("stream", stream, 0)):
        if not is_whole(value) or not least <= value < 2**63:
            raise BuckError(f"{name}: {value!r} is not a whole number of {least} to 2**63 - 1")
    tables = np.empty((len(views), number), TABLE)
    effective = np.full(len(views), float(number))
    with compiling("deals that fit", __file__):
        if model is None:
            _draw_rows(views.tables, views.rules.packed(), views.seats, views.uniforms.view(np.uint64), stream, tables)
        else:
            for i in range(len(views)):
                effective[i] = draw_likely(views.take(np.array([i])), model, stream, tables[i])
    return Deals(tables, np.full(tables.shape, 1 / number), effective)


@kernel
def _draw_rows(seen: Any, packed: Any, seats: Any, keys: Any, stream: int, tables: Any) -> None:
    rules = packed[0]
    places = np.empty(NUM_PLACES, PLACE)
    plans = np.empty(1, PLAN)
    chances = np.empty(1, CHANCE)
    drawn = np.zeros(NUM_PLACES, np.int64)
    for i in range(len(tables)):
        unseen = open_places(seen[i], rules, seats[i], places)
        upcard = unseen & BIT[seen[i].rest[0]] if rules.turn_up else 0
        open_chance(chances[0], keys[i], stream)
        plan_draws(places, unseen, upcard, seen[i].dealer, plans[0])
        for j in range(tables.shape[1]):
            draw_evenly(places, unseen, seen[i].dealer, plans[0], chances[0], drawn)
            tables[i, j] = seen[i]
            lay_out(tables[i, j], rules, seats[i], places, drawn, chances[0])
