"""Every decision before the play: exchange, order, call, bid, discard, name, stay.

One loop rates the hand under each trump that is possible, as the seat would hold it; each phase then holds the points
expected against what it could have instead.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from agents.rules_v1.hand_value import EVERYONE, MAKER, STAYER, expected, strength_of
from buck_env.base.compiled import kernel
from buck_env.game.actions import BID, DROP, EXCHANGE, KEEP, NAME, ORDER, PASS, STAY
from buck_env.game.bits import BIT, count
from buck_env.game.cards import FOLLOW, NO_TRUMP, STRENGTH, SUIT
from buck_env.game.facts import upcard_taken
from buck_env.game.options import BidCircuits, Making, Phase, Walkover

__all__ = ["best_before_play"]

# Points that an undertaking must promise, measured in play against older versions of this player and against random.
KEEP_FROM: Final = 0.3
ORDER_FROM, ORDER_FROM_HARD = 0.4, 0.0
CALL_FROM, CALL_FROM_HARD = 0.4, -4.05
"""HARD: where a stayer needs more than one trick hardly anybody stays, and any maker is likely to be left alone."""
CALL_LATER: Final = 0.4
"""An order must beat this share of what another suit would promise in the second circuit."""
BID_FROM, BID_EARLY = -0.48, -0.12
BID_FROM_CIRCUITS: Final = -1.5
"""Where the auction goes round a low bid also takes the others up: they may bid again, or drop."""
STAY_FROM, STAY_FROM_HARD = -0.1, -2.0
STAY_FIRST, STAY_FIRST_HARD = 0.0, -0.8
"""What staying must promise once another has stayed, and before."""

UNBEATEN = np.array([0.5, 0.5, 0.75, 0.9, 0.97, 1.0])
"""The chance that a seat yet to bid leaves a bid of 0..5 alone."""
DROPS_TOO: Final = 0.5
"""The chance that a seat yet to decide drops."""
GIFT: Final = 0.1
"""How much a point to the maker whom all leave costs those who leave it, each sharing in it."""
MATCH_GIFT: Final = 10.0
"""What the five tricks of a maker whom all leave are worth beside their points where a sweep wins the match."""


@kernel
def best_before_play(table: Any, rules: Any, seat: int, legal: int, x: Any, stakes: Any) -> int:
    """The action of a seat in any phase but the play; `x` is room for a hand's description."""
    phase = table.phase
    turned = SUIT[NO_TRUMP, table.rest[0]] if rules.turn_up else -1
    role, needs = _undertaking(table, rules, seat)
    best = other = in_turned = -1e9  # points under the best trump, the best but the turned suit, the turned suit
    strength = 0.0
    trump = 0
    kept = np.int64(0)
    for suit in range(5):
        if _is_possible(table, rules, suit, legal):
            hand = np.int64(table.hand[seat])
            taken_up = -1
            if _takes_up(table, rules, suit, turned):
                if seat != table.dealer:
                    taken_up = table.rest[0]
                elif table.discards[0] < 0:
                    hand |= BIT[table.rest[0]]
            hand = _best_five(hand, suit)
            rated = strength_of(table, rules, seat, hand, suit, role, taken_up, x)
            value = expected(rated, role, suit, needs, rules, stakes)
            if suit == turned:
                in_turned = value
            else:
                other = max(other, value)
            if value > best or (value == best and rated > strength):
                best, strength, trump, kept = value, rated, suit, hand
    hard = rules.stayer_needs > 1
    if phase == Phase.EXCHANGE:
        return KEEP if best > KEEP_FROM else EXCHANGE
    if phase == Phase.ORDER:
        least = ORDER_FROM_HARD if hard else max(ORDER_FROM, CALL_LATER * other)
        return ORDER if in_turned > least else PASS
    if phase == Phase.CALL:
        return NAME + trump if not legal & BIT[PASS] or best > (CALL_FROM_HARD if hard else CALL_FROM) else PASS
    if phase == Phase.NAME:
        return NAME + trump
    if phase == Phase.DISCARD:
        spare = legal & ~kept
        return _least(spare if spare else legal, np.int64(table.hand[seat]), trump)
    if phase == Phase.STAY:
        return STAY if not legal & BIT[DROP] or best > _dropping(table, rules) else DROP
    if rules.bid_circuits != BidCircuits.ONE.value:
        return BID + needs - 1 if needs <= rules.bid_max and best > BID_FROM_CIRCUITS else PASS
    return _best_bid(table, rules, seat, trump, strength, needs, stakes)


@kernel
def _undertaking(table: Any, rules: Any, seat: int) -> tuple[int, int]:
    """The role a seat is about to take and the tricks it would need."""
    if table.phase == Phase.STAY or (table.phase == Phase.DISCARD and table.maker >= 0 and table.maker != seat):
        return STAYER, np.int64(rules.stayer_needs)
    if rules.making == Making.DEALER.value:
        return EVERYONE, np.int64(rules.stayer_needs)
    if rules.making != Making.BID.value:
        return MAKER, np.int64(rules.maker_needs)
    if table.phase == Phase.NAME:
        return MAKER, np.int64(table.contract)
    return MAKER, np.int64(max(table.contract + 1, rules.bid_min))


@kernel
def _is_possible(table: Any, rules: Any, suit: int, legal: int) -> bool:
    """Whether a suit is trump or may become so by this decision or a later one."""
    if table.trump >= 0:
        return suit == table.trump
    if table.phase == Phase.CALL:
        return legal & BIT[NAME + suit] != 0
    return suit != NO_TRUMP or rules.no_trump


@kernel
def _takes_up(table: Any, rules: Any, suit: int, turned: int) -> bool:
    """Whether the dealer takes the upcard if this suit is trump, or has done so."""
    if table.trump >= 0:
        return upcard_taken(table, rules)
    return table.phase == Phase.ORDER and rules.pick_up and suit == turned


@kernel
def _best_five(hand: int, trump: int) -> int:
    """The five cards of a larger hand to keep under a trump."""
    for _ in range(count(hand) - 5):
        hand &= ~BIT[_least(hand, hand, trump)]
    return hand


@kernel
def _least(cards: int, hand: int, trump: int) -> int:
    """The card of some, out of a hand, that helps it least under a trump."""
    chosen = -1
    least = 1e9
    while cards:
        low = cards & -cards
        cards ^= low
        card = count(low - 1)
        value = _use(hand, card, trump)
        if value < least:
            least = value
            chosen = card
    return chosen


@kernel
def _use(hand: int, card: int, trump: int) -> float:
    """Trumps, then aces, then kings that are guarded; rather a void than a low card."""
    suit = SUIT[trump, card]
    if suit == trump:
        return 20.0 + STRENGTH[trump, suit, card]
    rank = card % 6
    if rank == 5:
        return 15.0
    if trump == NO_TRUMP:
        return rank + 6.0 * (hand >> 6 * suit + 5 & 1)
    length = count(hand & FOLLOW[trump, suit])
    if length == 1:
        return rank - 2.0
    return rank + 3.0 if rank == 4 else float(rank)


@kernel
def _dropping(table: Any, rules: Any) -> float:
    """The points that staying must promise."""
    hard = rules.stayer_needs > 1
    if table.stayed:
        return rules.drop_points + (STAY_FROM_HARD if hard else STAY_FROM)
    gift = 0.0
    if rules.walkover == Walkover.TRICKS.value:
        gift = 5.0 + (MATCH_GIFT if rules.sweep_wins else 0.0)
    elif rules.walkover == Walkover.POINTS.value:
        gift = float(rules.walkover_points)
    for _ in range(rules.seats - 2 - count(np.int64(table.dropped))):
        gift *= DROPS_TOO
    return rules.drop_points + (STAY_FIRST_HARD if hard else STAY_FIRST) - GIFT * gift / (rules.seats - 1)


@kernel
def _best_bid(table: Any, rules: Any, seat: int, trump: int, strength: float, lowest: int, stakes: Any) -> int:
    """The bid that promises most above what passing does: a higher one is beaten less often; or pass."""
    to_come = (table.dealer - seat + rules.seats) % rules.seats
    chosen = PASS
    most = 0.0
    for bid in range(lowest, min(rules.bid_max, 5) + 1):
        value = expected(strength, MAKER, trump, bid, rules, stakes) - BID_FROM - BID_EARLY * to_come
        for _ in range(to_come):
            value *= UNBEATEN[bid]
        if value > most:
            most = value
            chosen = BID + bid - 1
    return chosen
