"""A hand played once more, as far as a later table shows it: who did what, and what was legal then."""

from __future__ import annotations

from typing import Any

from buck_env.base.compiled import kernel
from buck_env.game.actions import BID, DROP, EXCHANGE, KEEP, NAME, NUM_ACTIONS, ORDER, PASS, STAY
from buck_env.game.bits import BIT
from buck_env.game.engine import apply, apply_seen_play, deal, legal
from buck_env.game.hidden import hide_table
from buck_env.game.options import Phase
from buck_env.game.table import CARD, HIDDEN, IN_CALL, IN_ORDER, LONGEST_HAND, NONE, SEAT_SHIFT

__all__ = ["deal_again", "is_same", "retrace", "take_again", "taken_by"]


@kernel
def retrace(tables: Any, seen: Any, packed: Any, pack: Any, viewer: int, steps: Any) -> int:
    """Deal a pack and play on to what a seat sees later, seen (1,); returns the number of steps.

    `tables`, (1,), gets the table at the end as the viewer sees it. `steps`, (LONGEST_HAND, 4) int64, gets the seat,
    the phase, the action (HIDDEN for a discard not seen) and, where the viewer acts, the mask of its legal actions. The
    number is -1 where the table shows what nobody can have done.
    """
    now, later, rules = tables[0], seen[0], packed[0]
    deal_again(now, later, rules, pack)
    for number in range(LONGEST_HAND):
        if is_same(now, later):
            hide_table(now, rules, viewer)
            return number
        if now.phase == Phase.OVER:
            return -1
        action = taken_by(now, later)
        unseen = now.phase == Phase.DISCARD and action == HIDDEN
        if not (unseen or 0 <= action < (PASS if now.phase == Phase.PLAY else NUM_ACTIONS)):
            return -1
        steps[number, 0], steps[number, 1], steps[number, 2] = now.seat, now.phase, action
        if now.seat == viewer:
            steps[number, 3] = legal(now, rules)
        take_again(now, later, rules, action)
    return -1


@kernel
def deal_again(now: Any, later: Any, rules: Any, pack: Any) -> None:
    """Deal a pack as the hand of a later table was dealt: its dealer, and the scores before the hand."""
    for seat in range(4):
        now.scores[seat] = later.scores[seat] - later.deltas[seat]
    now.hands_played = later.hands_played
    deal(now, rules, pack, later.dealer)


@kernel
def take_again(now: Any, later: Any, rules: Any, action: int) -> None:
    """Take an action that a later table shows; whether a card is a renege, the later table knows."""
    if now.phase == Phase.PLAY:
        apply_seen_play(now, rules, action, _is_renege(now, later))
    else:
        apply(now, rules, action)


@kernel
def is_same(now: Any, seen: Any) -> bool:
    """Whether the hand has come as far as the table seen."""
    same = now.phase == seen.phase and now.seat == seen.seat and now.played == seen.played
    same &= now.contract == seen.contract and now.exchanged == seen.exchanged and now.kept == seen.kept
    for i in range(3):
        same &= now.passed[i] == seen.passed[i]
    for i in range(4):
        same &= (now.discards[i] == NONE) == (seen.discards[i] == NONE)
    return same and now.stayed == seen.stayed and now.dropped == seen.dropped


@kernel
def taken_by(now: Any, later: Any) -> int:
    """The action that the seat to act takes now, as the table shows it later; HIDDEN for a discard not seen."""
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
def _is_renege(now: Any, later: Any) -> bool:
    """Whether the card about to be played is a renege: it is the last of a seat that reneged."""
    last = later.reneged & BIT[now.seat] != 0
    for i in range(now.played + 1, later.played):
        last &= later.plays[i] >> SEAT_SHIFT != now.seat
    return last
