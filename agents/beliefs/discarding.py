"""The dealer's hidden discards, chosen for each holding as the model would choose them.

Of what a dealer held it discarded what was not kept, in one order of many, and few choices are likely. So for each
holding the model discards card after card, out of those that can have been discarded. The holding then counts with the
chance of the model to stay among these, divided by the number of ways in which its cards could have been listed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.beliefs.chance import draw_fraction
from agents.beliefs.holdings import show_rows
from agents.beliefs.places import DISCARDED, WAYS
from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT, count
from buck_env.observation.agent import Agent, probabilities_of
from buck_env.observation.views import Views

__all__ = ["discard_by_model"]


def discard_by_model(
    view: Views, model: Agent, holdings: np.ndarray, before: np.ndarray, places: np.ndarray, chances: np.ndarray
) -> np.ndarray:
    """Choose the discards of each of K holdings again, in place; the logarithm of what each now counts, (K,) float64.

    `before`, (D,) TABLE, are the tables at which the dealer discarded, `places` the open places of the view.
    """
    counts = np.empty(len(holdings))
    dealer = int(view.tables["dealer"][0])
    _count_ways(places, dealer, len(before), holdings, counts)
    seats = np.full(len(holdings), dealer)
    for made, table in enumerate(before):
        tables = table.reshape(1, 1).repeat(len(holdings), axis=1)
        show_rows(view.tables, view.rules.packed(), dealer, holdings, tables, np.zeros((1, len(holdings)), np.int64))
        views = Views(view.rules, tables[0], seats, np.full(len(holdings), view.uniforms[0]))
        _choose(places, dealer, made, len(before), probabilities_of(model, views), chances, holdings, counts)
    with np.errstate(divide="ignore"):
        return np.log(counts)


@kernel
def _count_ways(places: Any, dealer: int, number: int, holdings: Any, counts: Any) -> None:
    """One over the ways to discard so many of each holding's unseen cards and keep a hand that fits."""
    place = places[dealer]
    for k in range(len(holdings)):
        cards = holdings[k].used
        fixed = count(cards & place.barred)
        free = count(cards & ~place.barred & ~places[DISCARDED].barred)
        ways = WAYS[free, max(0, number - fixed)]
        if place.needed:  # but for those that discard every card of which one was kept
            shown = count(cards & place.needed)
            if number - fixed - shown >= 0:
                ways -= WAYS[free - shown, number - fixed - shown]
        counts[k] = 1.0 / ways


@kernel
def _choose(
    places: Any, dealer: int, made: int, number: int, probabilities: Any, chances: Any, holdings: Any, counts: Any
) -> None:
    """One more discard of each holding, by the model's probabilities (K, A)."""
    for k in range(len(holdings)):
        holding = holdings[k]
        cards = np.int64(holding.used)
        for i in range(made):
            cards &= ~BIT[holding.discards[i]]
        barred = cards & places[dealer].barred
        if count(barred) == number - made:
            cards = barred
        cards &= ~places[DISCARDED].barred
        mass = 0.0
        for card in range(24):
            if cards & BIT[card]:
                mass += max(probabilities[k, card], 1e-12)
        counts[k] *= mass
        wanted = draw_fraction(chances[0]) * mass
        chosen = -1
        for card in range(24):
            if cards & BIT[card]:
                chosen = card
                wanted -= max(probabilities[k, card], 1e-12)
                if wanted < 0.0:
                    break
        old = holding.discards[made]
        if holding.hand & BIT[chosen]:
            holding.hand ^= BIT[chosen] | BIT[old]
        else:
            for i in range(made, number):
                if holding.discards[i] == chosen:
                    holding.discards[i] = old
        holding.discards[made] = chosen
        if made == number - 1 and places[dealer].needed and holding.hand & places[dealer].needed == 0:
            counts[k] = 0.0
