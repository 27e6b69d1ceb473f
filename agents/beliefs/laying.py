"""Cards drawn for the open places laid out at the table, so that it is whole."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.beliefs.chance import draw_cards
from agents.beliefs.places import DISCARDED, LAID, REST, next_taker, taken_beside
from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT, count
from buck_env.game.facts import held_or_played, previous_taker
from buck_env.game.options import Making
from buck_env.game.table import HIDDEN, NONE

__all__ = ["lay_out"]


@kernel
def lay_out(table: Any, rules: Any, viewer: int, places: Any, drawn: Any, chance: Any) -> None:
    """Fill in every hidden card of a table: the cards of each place are those held and those drawn.

    Where an order is hidden, that of the discards or of cards beside the hands, every order is equally likely.
    """
    for seat in range(rules.seats):
        if seat != viewer:
            table.hand[seat] = places[seat].held | drawn[seat]
    _lay_row(table.discards, 0, 4, places[DISCARDED].held | drawn[DISCARDED], chance)
    beside = taken_beside(table, rules)
    _lay_row(table.rest, beside, 9, drawn[REST], chance)
    for seat in range(rules.seats):
        if seat != viewer and table.exchanged & BIT[seat]:
            taker = next_taker(table, rules, seat)
            table.laid[seat] = places[LAID].held | drawn[LAID] if taker == NONE else held_or_played(table, taker)
    if beside:
        _lay_row(table.rest, 0, beside, _taken_cards(table, rules), chance)


@kernel
def _taken_cards(table: Any, rules: Any) -> int:
    """The cards among which those taken up from beside the hands are: a taker's five, or the dealer's nine."""
    if rules.making == Making.DEALER.value:
        cards = held_or_played(table, table.dealer)
        for i in range(4):
            if table.discards[i] >= 0:
                cards |= BIT[table.discards[i]]
        return cards
    cards = np.int64(0)
    for seat in range(rules.seats):
        if table.exchanged & BIT[seat] and previous_taker(table, rules, seat) == NONE:
            cards = held_or_played(table, seat)
    return cards


@kernel
def _lay_row(row: Any, start: int, end: int, cards: int, chance: Any) -> None:
    """Cards in any order into the hidden places of a row; more cards than places leave some out, by chance."""
    for i in range(start, end):
        if row[i] == HIDDEN:
            card = draw_cards(chance, cards, 1)
            cards &= ~card
            row[i] = count(card - 1)
