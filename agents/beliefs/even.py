"""Deals drawn evenly: every way to put the unseen cards into the open places is as likely as every other.

Place after place draws its cards evenly from those left that may be there, the most constrained place first. A way
that leaves the later places more to choose from than another would be drawn too seldom, so a draw is kept with the
chance that makes up for it: the choices that the later places had, as a share of the most that they could have had. All
else begins anew, which happens a few times at most: only places that bar cards can lose choices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.beliefs.chance import draw_cards, draw_fraction
from agents.beliefs.places import DISCARDED, NUM_PLACES, WAYS
from buck_env.base.compiled import kernel
from buck_env.game.bits import count

__all__ = ["PLAN", "draw_evenly", "plan_draws"]

PLAN = np.dtype(
    (np.record, [("order", "i8", NUM_PLACES), ("most", "i8", (2, NUM_PLACES)), ("bound", "f8", 2), ("upcard", "i8")])
)
"""The order in which places draw; the most cards that each can find to choose from, and the product of the ways to
choose them, with the upcard in the dealer's hand (0) or discarded (1); that upcard, a mask, 0 where it is settled."""


@kernel
def plan_draws(places: Any, unseen: int, upcard: int, dealer: int, plan: Any) -> None:
    """Set up the draws of one view. `upcard` is the mask of a card of `unseen` that the dealer took, or 0."""
    plan.upcard = upcard
    for i in range(NUM_PLACES):
        plan.order[i] = i
    for i in range(1, NUM_PLACES):
        for j in range(i, 0, -1):
            if _looseness(places[plan.order[j]], unseen) < _looseness(places[plan.order[j - 1]], unseen):
                plan.order[j], plan.order[j - 1] = plan.order[j - 1], plan.order[j]
    for case in range(2):
        plan.bound[case] = 0.0
        if upcard:
            home = DISCARDED if case else dealer
            if places[home].missing:
                places[home].missing -= 1
                _bound(places, unseen & ~upcard, case, plan)
                places[home].missing += 1
        elif case == 0:
            _bound(places, unseen, case, plan)


@kernel
def _looseness(place: Any, unseen: int) -> int:
    """Least where a place bars cards and has few to choose from."""
    return count(unseen & ~place.barred) - place.missing + 100 * (unseen & place.barred == 0)


@kernel
def _bound(places: Any, unseen: int, case: int, plan: Any) -> None:
    bound = 1.0
    left = count(unseen)
    for i in range(NUM_PLACES):
        place = places[plan.order[i]]
        allowed = unseen & ~place.barred
        taken = 0  # cards that earlier places cannot but take from those allowed here
        for j in range(i):
            earlier = places[plan.order[j]]
            taken += max(0, earlier.missing - count(unseen & ~earlier.barred & ~allowed))
        most = min(count(allowed) - taken, left)
        plan.most[case, i] = most
        bound *= WAYS[most, place.missing] if most >= place.missing else 0.0
        left -= place.missing
    plan.bound[case] = bound


@kernel
def draw_evenly(places: Any, unseen: int, dealer: int, plan: Any, chance: Any, drawn: Any) -> None:
    """Put the unseen cards into the places: `drawn`, (NUM_PLACES,), gets the cards of each, a mask."""
    while not _draw_once(places, unseen, dealer, plan, chance, drawn):
        pass


@kernel
def _draw_once(places: Any, unseen: int, dealer: int, plan: Any, chance: Any, drawn: Any) -> bool:
    case = 0
    home = -1
    left = unseen
    if plan.upcard:
        case = np.int64(draw_fraction(chance) * (plan.bound[0] + plan.bound[1]) >= plan.bound[0])
        home = DISCARDED if case else dealer
        left &= ~plan.upcard
    kept = 1.0
    for i in range(NUM_PLACES):
        at = plan.order[i]
        size = places[at].missing - (at == home)
        allowed = left & ~places[at].barred
        number = count(allowed)
        if number < size:
            return False
        most = plan.most[case, i]
        if number != most:
            kept *= WAYS[number, size] / WAYS[most, size]
        cards = draw_cards(chance, allowed, size)
        left &= ~cards
        if at == home:
            cards |= plan.upcard
        if places[at].needed and cards & places[at].needed == 0:
            return False
        drawn[at] = cards
    return kept == 1.0 or draw_fraction(chance) < kept
