"""The play: five tricks, and what becomes of a card that does not follow suit."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.bits import BIT, count, next_in, only
from buck_env.game.cards import FOLLOW, STRENGTH, SUIT
from buck_env.game.options import IllegalPlay, Lead, Phase
from buck_env.game.scoring import points
from buck_env.game.table import CARD, NONE, SEAT_SHIFT

__all__ = ["apply_play", "follows", "legal_play", "open_play", "pay", "play_card"]


@kernel
def open_play(table: Any, rules: Any) -> None:
    """The maker leads, or the first seat at the dealer's left that plays (RULES §9.1)."""
    table.phase = Phase.PLAY
    if rules.lead == Lead.MAKER.value and table.maker != NONE:
        table.seat = table.maker
    else:
        table.seat = next_in(table.dealer, rules, table.dropped)
    table.starts[0] = 0


@kernel
def legal_play(table: Any, rules: Any) -> int:
    """Follow the led suit if able, otherwise any card (RULES §9.2, §10.6)."""
    hand = np.int64(table.hand[table.seat])
    start = table.starts[table.trick]
    if table.played == start:
        return hand
    following = hand & FOLLOW[table.trump, SUIT[table.trump, table.plays[start] & CARD]]
    return following if following else hand


@kernel
def follows(table: Any, card: int) -> bool:
    """Whether a card leads, or belongs to the suit led (RULES §1.3, §9.2)."""
    start = table.starts[table.trick]
    led = card if table.played == start else table.plays[start] & CARD
    return SUIT[table.trump, card] == SUIT[table.trump, led]


@kernel
def apply_play(table: Any, rules: Any, action: int) -> None:
    """Play a card; in a house that plays reneges it may be one (RULES §10.1)."""
    reneges = rules.illegal_play == IllegalPlay.RENEGE.value and BIT[action] & legal_play(table, rules) == 0
    play_card(table, rules, action, reneges)


@kernel
def play_card(table: Any, rules: Any, card: int, reneges: bool) -> None:
    """Play a card of which it is known whether it is a renege (RULES §9.4, §10.2, §10.3, §10.5)."""
    seat = table.seat
    table.plays[table.played] = seat << SEAT_SHIFT | card
    table.played += 1
    table.hand[seat] = table.hand[seat] & ~BIT[card]
    if reneges:
        table.reneged |= BIT[seat]
        pay(table, rules, seat)  # at once
        out = table.dropped | table.reneged
        if count(out) == rules.seats - 1:
            last = only(((1 << rules.seats) - 1) & ~out)
            table.tricks[last] += 5 - table.trick
            table.phase = Phase.OVER
            return
    after = next_in(seat, rules, table.dropped | table.reneged)
    if after == table.plays[table.starts[table.trick]] >> SEAT_SHIFT:  # round to the leader
        _close_trick(table, rules)
    else:
        table.seat = after


@kernel
def _close_trick(table: Any, rules: Any) -> None:
    """The highest trump wins, else the highest card of the led suit; the winner leads next (RULES §9.3, §9.4)."""
    start = table.starts[table.trick]
    led = SUIT[table.trump, table.plays[start] & CARD]
    best = 0  # 4 * strength + seat
    for i in range(start, table.played):
        seat = table.plays[i] >> SEAT_SHIFT
        strength = np.int64(STRENGTH[table.trump, led, table.plays[i] & CARD])
        valid = ~table.reneged >> seat & 1  # a reneged card can neither win nor be led from
        best = max(best, (strength * valid) << 2 | seat)
    winner = best & 3
    table.tricks[winner] += 1
    table.trick += 1
    if table.trick == 5:
        table.phase = Phase.OVER
    else:
        table.starts[table.trick] = table.played
        table.seat = winner


@kernel
def pay(table: Any, rules: Any, seat: int) -> None:
    """Bring a seat's score to what this hand is worth to it; what it has been paid already counts (RULES §11.1)."""
    change = rules.toward * points(table, rules, seat) - table.deltas[seat]
    table.deltas[seat] += change
    table.scores[seat] += change
