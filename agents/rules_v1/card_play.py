"""Which card to play.

Each card that might be played is tried: it wins this trick or not, by the odds of the cards still out, and the cards
that stay behind are worth what each may still win. The tricks to come are taken as throws of one coin, so that the seat
plays safe for the trick it needs and counts the odd one for what it is.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from agents.rules_v1.chances import MISS, seen_cards, shown_voids, survives
from agents.rules_v1.stakes import worth
from buck_env.base.compiled import kernel
from buck_env.game.bits import count
from buck_env.game.cards import FOLLOW, NO_TRUMP, STRENGTH, SUIT
from buck_env.game.facts import needs
from buck_env.game.table import CARD, SEAT_SHIFT

__all__ = ["best_card"]

# What a card may still win, measured in play against older versions of this player.
TRUMP_ON_LEAD: Final = 0.35
TRUMP_OFF_LEAD: Final = 0.32
"""The chance of a trump that would not win if it were led: it may ruff."""
PLAIN_WITH_TRUMPS: Final = 0.5
PLAIN_WITHOUT: Final = 0.3
"""The share of a plain winner's chance that is left when another seat has the lead."""
OUT_OF_PLAY: Final = 0.6
"""The weight of an unseen card that is in no active hand: who stays has the better cards."""
CHEAP: Final = 1e-3
"""Of two cards that are worth the same the lower is played."""


@kernel
def best_card(table: Any, rules: Any, seat: int, legal: int, stakes: Any, future: Any) -> int:
    """The legal card that promises most; `future` (24, 4) is room for what each card may still win."""
    trump = table.trump
    hand = np.int64(table.hand[seat])
    start = table.starts[table.trick]
    leading = table.played == start
    left = 4 - table.trick  # tricks after this one
    voids = shown_voids(table)
    hidden = 0xFFFFFF & ~seen_cards(table, rules, seat)
    others = (1 << rules.seats) - 1 & ~(table.dropped | table.reneged | 1 << seat)
    after = others  # who has yet to play to this trick
    led = 0
    best = 0  # the power of the card that holds the trick
    if not leading:
        led = SUIT[trump, table.plays[start] & CARD]
        for i in range(start, table.played):
            player = table.plays[i] >> SEAT_SHIFT
            after &= ~(1 << player)
            if not table.reneged >> player & 1:
                best = max(best, STRENGTH[trump, led, table.plays[i] & CARD])
    in_play = (left + 1) * count(after) + left * count(others & ~after)
    unseen = in_play + int((count(hidden) - in_play) * OUT_OF_PLAY + 0.5)
    drawn = _draw_round(trump, hidden, unseen, left + 1, count(others)) if leading else hidden
    sums_0, sums_1, sums_2, sums_3 = _look_ahead(
        trump, hand, left, hidden, drawn, unseen - count(after), others, voids, future
    )
    makes = seat == table.maker
    need = needs(table, rules, seat)
    taken = table.tricks[seat]
    chosen = -1
    most = -1e9
    rest = legal
    while rest:
        low = rest & -rest
        rest ^= low
        card = count(low - 1)
        suit = SUIT[trump, card]
        in_suit = suit if leading else led
        wins = 0.0
        if STRENGTH[trump, in_suit, card] > best:
            wins = survives(trump, in_suit, card, left + 1, hidden, unseen, after, voids)
        if leading and suit == trump:
            on_lead = sums_2 - future[card, 2]
            off_lead = sums_3 - future[card, 3]
        else:
            on_lead = sums_0 - future[card, 0]
            off_lead = sums_1 - future[card, 1]
        value = wins * _to_come(on_lead, left, taken + 1, rules, makes, need, stakes)
        value += (1.0 - wins) * _to_come(off_lead, left, taken, rules, makes, need, stakes)
        value -= CHEAP * STRENGTH[trump, suit, card]
        if value > most:
            most = value
            chosen = card
    return chosen


@kernel
def _draw_round(trump: int, hidden: int, unseen: int, n: int, others: int) -> int:
    """The cards out after a trump lead: each seat that is likely to hold one follows with the lowest."""
    if trump == NO_TRUMP:
        return hidden
    trumps = hidden & FOLLOW[trump, trump]
    drawn = min(int(others * (1.0 - MISS[n, unseen, count(trumps)]) + 0.5), count(trumps))
    for _ in range(drawn):
        lowest = np.int64(0)
        least = 99
        rest = trumps
        while rest:
            low = rest & -rest
            rest ^= low
            strength = STRENGTH[trump, trump, count(low - 1)]
            if strength < least:
                least = strength
                lowest = low
        trumps ^= lowest
    return hidden & ~FOLLOW[trump, trump] | trumps


@kernel
def _look_ahead(
    trump: int, hand: int, left: int, hidden: int, drawn: int, unseen: int, others: int, voids: int, future: Any
) -> tuple[float, float, float, float]:
    """What each card may win after this trick, and the sums: on lead and off lead, then the same with trumps drawn."""
    trumps = count(hand & FOLLOW[trump, trump]) if trump != NO_TRUMP else 0
    sums_0 = sums_1 = sums_2 = sums_3 = 0.0
    out = max(unseen, left * count(others))
    rest = hand
    while rest:
        low = rest & -rest
        rest ^= low
        card = count(low - 1)
        suit = SUIT[trump, card]
        for k in range(2):
            if k == 1 and drawn == hidden:
                future[card, 2] = future[card, 0]
                future[card, 3] = future[card, 1]
            else:
                wins = survives(trump, suit, card, left, drawn if k else hidden, out, others, voids)
                if suit == trump:
                    future[card, 2 * k] = wins + (1.0 - wins) * TRUMP_ON_LEAD
                    future[card, 2 * k + 1] = wins + (1.0 - wins) * TRUMP_OFF_LEAD
                else:
                    future[card, 2 * k] = wins
                    future[card, 2 * k + 1] = wins * (PLAIN_WITH_TRUMPS if trumps else PLAIN_WITHOUT)
        sums_0 += future[card, 0]
        sums_1 += future[card, 1]
        sums_2 += future[card, 2]
        sums_3 += future[card, 3]
    return sums_0, sums_1, sums_2, sums_3


@kernel
def _to_come(mean: float, left: int, taken: int, rules: Any, makes: bool, need: int, stakes: Any) -> float:
    """The worth of the tricks taken and those to come, which are `left` throws of a coin that brings `mean`."""
    p = min(mean / left, 0.97) if left else 0.0
    q = 1.0 - p
    chance = 1.0
    for _ in range(left):
        chance *= q
    value = 0.0
    for won in range(left + 1):
        value += chance * worth(rules, makes, need, taken + won, stakes)
        chance *= p / q * (left - won) / (won + 1)
    return value
