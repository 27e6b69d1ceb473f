"""What one other seat may hold: all there is where that is little, else an even sample.

A seat decides by what it sees, so what it held, with what it discarded or laid down, settles how likely it was to act
as it did. One *holding* is one such case.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from agents.beliefs.chance import draw_below, draw_cards
from agents.beliefs.places import DISCARDED, LAID, WAYS, last_taker
from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT, count
from buck_env.game.facts import BUCK, WIDOW, held_or_played, previous_taker, upcard_taken
from buck_env.game.options import Making
from buck_env.game.table import CARD, HIDDEN, NONE, SEAT_SHIFT

__all__ = ["HOLDING", "list_holdings", "show_holding", "show_rows"]

HOLDING: Final = np.dtype(
    (np.record, [("hand", "i8"), ("laid", "i8"), ("used", "i8"), ("discards", "i1", 4), ("beside", "i1", 4)])
)
"""The hand now and the hand laid down, masks; the cards of both that were unseen, with the discards; the discards in
order; and which cards of the stuck dealer were the buck."""

_ORDERS = np.array([1, 1, 2, 6, 24])
"""In how many orders so many cards can be discarded."""


@kernel
def list_holdings(
    seen: Any, rules: Any, seat: int, places: Any, unseen: int, upcard: int, most: int, sample: int, chance: Any,
    holdings: Any,
) -> tuple[int, bool]:  # fmt: skip
    """Fill `holdings` with all that a seat may hold if it is no more than `most`, else with an even sample of so many;
    returns how many they are, and whether all.

    `upcard` is the mask of a card of `unseen` that the dealer took, or 0.
    """
    beside = LAID if seat == last_taker(seen, rules) else DISCARDED
    extra = places[beside].missing if beside == LAID or seat == seen.dealer else 0
    least = upcard if seat == seen.dealer else np.int64(0)
    hands = unseen & ~places[seat].barred
    others = unseen & ~places[beside].barred
    size = places[seat].missing
    found = 0
    orders = _ORDERS[extra] if beside == DISCARDED else 1
    if WAYS[count(hands), size] * WAYS[max(0, count(others) - size), extra] * orders > most:
        while found < sample:
            hand = draw_cards(chance, hands, size)
            found += _add(
                seen, rules, seat, places, hand, draw_cards(chance, others & ~hand, extra), beside, least, chance,
                holdings, found, draw_below(chance, orders),
            )  # fmt: skip
        return found, False
    chosen = (1 << size) - 1
    while chosen >> count(hands) == 0:
        hand = _pick(hands, chosen)
        left = others & ~hand
        below = (1 << extra) - 1
        while below >> count(left) == 0:
            for order in range(orders):
                found += _add(
                    seen, rules, seat, places, hand, _pick(left, below), beside, least, chance, holdings, found, order
                )  # fmt: skip
            if below == 0:
                break
            below = _next_choice(below)
        if chosen == 0:
            break
        chosen = _next_choice(chosen)
    return found, True


@kernel
def _next_choice(chosen: int) -> int:
    """The next larger number with as many bits."""
    low = chosen & -chosen
    up = chosen + low
    return up | ((chosen ^ up) // low) >> 2


@kernel
def _pick(cards: int, chosen: int) -> int:
    """The cards of a mask at the places that another has bits."""
    picked = np.int64(0)
    while chosen:
        low = cards & -cards
        picked |= low * (chosen & 1)
        cards ^= low
        chosen >>= 1
    return picked


@kernel
def _add(
    seen: Any, rules: Any, seat: int, places: Any, hand: int, extra: int, beside: int, least: int, chance: Any,
    holdings: Any, at: int, order: int,
) -> int:  # fmt: skip
    """Write one holding if it can be; 1 or 0. The discards come in one of their orders, any cards were the buck."""
    if (places[seat].needed and hand & places[seat].needed == 0) or (hand | extra) & least != least:
        return 0
    holding = holdings[at]
    holding.hand = places[seat].held | hand
    holding.used = hand | extra
    holding.laid = extra if beside == LAID else np.int64(0)
    for i in range(4):
        holding.discards[i] = NONE
    if beside == DISCARDED and seat == seen.dealer:
        left = extra | places[DISCARDED].held
        owned = holding.hand | left
        for i in range(4):
            holding.discards[i] = seen.discards[i]
            if seen.discards[i] == HIDDEN:
                card = _pick(left, 1 << order % count(left))
                order //= count(left)
                left ^= card
                holding.discards[i] = count(card - 1)
            elif seen.discards[i] >= 0:
                owned |= BIT[seen.discards[i]]
        if rules.making == Making.DEALER.value:
            owned |= held_or_played(seen, seat)
            for i in range(BUCK):
                card = draw_cards(chance, owned, 1)
                owned ^= card
                holding.beside[i] = count(card - 1)
    return 1


@kernel
def show_holding(table: Any, rules: Any, seat: int, holding: Any) -> None:
    """Show a seat's holding at the table of the decision."""
    table.hand[seat] = holding.hand
    if seat == last_taker(table, rules):
        table.laid[seat] = holding.laid
    elif seat == table.dealer:
        for i in range(4):
            table.discards[i] = holding.discards[i]
        if rules.making == Making.DEALER.value:
            for i in range(BUCK):
                table.rest[i] = holding.beside[i]


@kernel
def show_rows(seen: Any, packed: Any, seat: int, holdings: Any, tables: Any, actions: Any) -> None:
    """Show a seat at earlier tables, (D, K) TABLE, what it held then by each of K holdings.

    A discard that is HIDDEN in `actions`, (D, K), becomes the card that the holding says.
    """
    for i in range(tables.shape[0]):
        for k in range(tables.shape[1]):
            following = _then_held(tables[i, k], seen[0], packed[0], seat, holdings[k])
            if actions[i, k] == HIDDEN:
                actions[i, k] = following


@kernel
def _then_held(then: Any, seen: Any, rules: Any, seat: int, holding: Any) -> int:
    """Show a seat at an earlier table what it held then; returns the card it was to discard next, or NONE."""
    cards = np.int64(holding.hand)
    for i in range(then.played, seen.played):
        if seen.plays[i] >> SEAT_SHIFT == seat:
            cards |= BIT[seen.plays[i] & CARD]
    following = NONE
    if seat == seen.dealer:
        for i in range(3, -1, -1):
            if holding.discards[i] >= 0 and then.discards[i] == NONE:
                cards |= BIT[holding.discards[i]]
                following = holding.discards[i]
            elif holding.discards[i] >= 0:
                then.discards[i] = holding.discards[i]
        if rules.making == Making.DEALER.value:
            for i in range(BUCK):
                then.rest[i] = holding.beside[i]
        elif upcard_taken(seen, rules) and not upcard_taken(then, rules):
            cards &= ~BIT[seen.rest[0]]
    if seen.exchanged & BIT[seat]:
        if not then.exchanged & BIT[seat]:
            then.hand[seat] = holding.laid
            return following
        then.laid[seat] = holding.laid
        if previous_taker(then, rules, seat) == NONE:
            _show_widow(then, seat, cards)
    then.hand[seat] = cards
    return following


@kernel
def _show_widow(then: Any, seat: int, cards: int) -> None:
    """The cards a taker holds or has played are those of the widow."""
    for i in range(then.played):
        if then.plays[i] >> SEAT_SHIFT == seat:
            cards |= BIT[then.plays[i] & CARD]
    for i in range(WIDOW):
        low = cards & -cards
        cards ^= low
        then.rest[i] = count(low - 1)
