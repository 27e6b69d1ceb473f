"""The decisions of a hand so far, as the table shows them to everybody: who did what, and what all could see then."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.actions import BID, DROP, EXCHANGE, KEEP, NAME, ORDER, PASS, STAY
from buck_env.game.bits import BIT
from buck_env.game.engine import apply, apply_seen_play, deal
from buck_env.game.options import Phase
from buck_env.game.table import CARD, HIDDEN, IN_CALL, IN_ORDER, LONGEST_HAND, NONE, SEAT_SHIFT

__all__ = ["recall_decisions"]


@kernel
def recall_decisions(seen: Any, rules: Any, viewer: int, now: Any, tables: Any, actions: Any) -> int:
    """Fill in the decisions of all others in the hand of a table as `viewer` sees it; returns their number.

    `tables`, (LONGEST_HAND,) TABLE, gets the table before each, with everything hidden that is not public; `actions`
    what was done, HIDDEN for a discard that the viewer did not see. `now` is room for one table.
    """
    _deal_again(seen, rules, now)
    found = 0
    for _ in range(LONGEST_HAND):
        if _is_same(now, seen):
            break
        seat = now.seat
        action = _taken(now, seen)
        if seat != viewer:
            tables[found] = now
            actions[found] = action
            found += 1
        if now.phase == Phase.PLAY:
            apply_seen_play(now, rules, action, _reneges(now, seen))
        else:
            apply(now, rules, HIDDEN if now.phase == Phase.DISCARD else action)
        _hide_hands(now)
    return found


@kernel
def _deal_again(seen: Any, rules: Any, now: Any) -> None:
    """The table as it was dealt, with the upcard alone to be seen."""
    pack = np.arange(24)
    top = 5 * np.int64(rules.seats)
    if rules.turn_up:
        pack[top], pack[seen.rest[0]] = pack[seen.rest[0]], pack[top]
    for seat in range(4):
        now.scores[seat] = seen.scores[seat] - seen.deltas[seat]
    now.hands_played = seen.hands_played
    deal(now, rules, pack, seen.dealer)
    for i in range(np.int64(rules.turn_up), 9):
        if now.rest[i] != NONE:
            now.rest[i] = HIDDEN
    _hide_hands(now)


@kernel
def _hide_hands(table: Any) -> None:
    for seat in range(4):
        table.hand[seat] = 0
        table.laid[seat] = 0


@kernel
def _is_same(now: Any, seen: Any) -> bool:
    """Whether the hand has come as far as the table seen."""
    same = now.phase == seen.phase and now.seat == seen.seat and now.played == seen.played
    same &= now.contract == seen.contract and now.exchanged == seen.exchanged and now.kept == seen.kept
    for i in range(3):
        same &= now.passed[i] == seen.passed[i]
    for i in range(4):
        same &= (now.discards[i] == NONE) == (seen.discards[i] == NONE)
    return same and now.stayed == seen.stayed and now.dropped == seen.dropped


@kernel
def _taken(now: Any, later: Any) -> int:
    """What the seat to act does now, as the table shows it later."""
    seat = now.seat
    if now.phase == Phase.PLAY:
        return later.plays[now.played] & CARD
    if now.phase == Phase.STAY:
        return STAY if later.stayed & BIT[seat] else DROP
    if now.phase == Phase.ORDER:
        return PASS if later.passed[IN_ORDER] & BIT[seat] else ORDER
    if now.phase == Phase.CALL:
        return PASS if later.passed[IN_CALL] & BIT[seat] else NAME + later.trump
    if now.phase == Phase.NAME:
        return NAME + later.trump
    if now.phase == Phase.EXCHANGE:
        return EXCHANGE if later.exchanged & BIT[seat] else KEEP
    if now.phase == Phase.BID:  # before its turn returns somebody bids higher, or the auction is over
        for tricks in range(now.contract + 1, 9):
            if later.bidders[tricks - 1] != NONE:
                return BID + tricks - 1 if later.bidders[tricks - 1] == seat else PASS
        return PASS
    made = 0
    while now.discards[made] != NONE:
        made += 1
    return later.discards[made]


@kernel
def _reneges(now: Any, later: Any) -> bool:
    """Whether the card about to be played is a renege: it is the last of a seat that reneged."""
    last = later.reneged & BIT[now.seat] != 0
    for i in range(now.played + 1, later.played):
        last &= later.plays[i] >> SEAT_SHIFT != now.seat
    return last
