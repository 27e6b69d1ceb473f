"""Making trump: the two circuits over the upcard, and the auction."""

from __future__ import annotations

from typing import Any

from buck_env.base.compiled import kernel
from buck_env.game.actions import BID, NAME, ORDER, PASS
from buck_env.game.bits import BIT, count, left
from buck_env.game.cards import NO_TRUMP, SUIT
from buck_env.game.facts import BUCK
from buck_env.game.naming import legal_name
from buck_env.game.options import AllPass, BidCircuits, Discard, Making, Phase, TurnedDown
from buck_env.game.playing import open_play
from buck_env.game.staying import open_stay
from buck_env.game.table import IN_AUCTION, IN_CALL, IN_ORDER, NONE

__all__ = ["apply_bid", "apply_call", "apply_order", "legal_bid", "legal_call", "legal_order", "open_making"]


@kernel
def open_making(table: Any, rules: Any) -> None:
    """A club turned settles it; else the house's way begins (RULES §2.2, §2.3, §2.4, §3.2)."""
    table.seat = left(table.dealer, rules, 1)
    if rules.forced_clubs and SUIT[NO_TRUMP, table.rest[0]] == 0:
        table.trump = 0  # clubs; everyone plays, no maker
        open_play(table, rules)
    elif rules.making == Making.ORDER.value:
        table.phase = Phase.ORDER
    elif rules.making == Making.BID.value:
        table.phase = Phase.BID
    else:
        table.seat = table.dealer
        for i in range(BUCK):
            if table.rest[i] >= 0:
                table.hand[table.dealer] = table.hand[table.dealer] | BIT[table.rest[i]]
        table.phase = Phase.DISCARD


@kernel
def legal_order(table: Any, rules: Any) -> int:
    """Order, or pass (RULES §5.1)."""
    return BIT[ORDER] | BIT[PASS]


@kernel
def apply_order(table: Any, rules: Any, action: int) -> None:
    """An order makes the upcard's suit trump, and the dealer may have to take it (RULES §5.1, §5.2, §7.2)."""
    seat = table.seat
    if action == ORDER:
        _make(table, rules, SUIT[NO_TRUMP, table.rest[0]])
        if rules.pick_up:  # whoever ordered
            table.hand[table.dealer] = table.hand[table.dealer] | BIT[table.rest[0]]
            if rules.discard != Discard.AFTER_STAY.value:
                table.seat = table.dealer
                table.phase = Phase.DISCARD
                return
        open_stay(table, rules)
    else:
        table.passed[IN_ORDER] |= BIT[seat]
        table.seat = left(seat, rules, 1)
        if seat == table.dealer:
            table.phase = Phase.CALL


@kernel
def legal_call(table: Any, rules: Any) -> int:
    """Name a suit or pass; whether it may be the suit turned down, the house says (RULES §5.3 to §5.5, §5.9, §5.10)."""
    names = legal_name(table, rules)
    deals = table.seat == table.dealer
    if rules.turned_down == TurnedDown.NOBODY.value or (rules.turned_down == TurnedDown.DEALER.value and not deals):
        names &= ~BIT[NAME + SUIT[NO_TRUMP, table.rest[0]]]
    if rules.all_pass == AllPass.STICK_DEALER.value and deals:
        return names
    return names | BIT[PASS]


@kernel
def apply_call(table: Any, rules: Any, action: int) -> None:
    """The first suit named is trump; after the dealer's pass nobody makes it (RULES §5.3, §5.7)."""
    seat = table.seat
    if action != PASS:
        _make(table, rules, action - NAME)
        open_stay(table, rules)
    else:
        table.passed[IN_CALL] |= BIT[seat]
        table.seat = left(seat, rules, 1)
        if seat == table.dealer:
            _all_pass(table, rules)


@kernel
def _make(table: Any, rules: Any, trump: int) -> None:
    """The seat to act makes trump and undertakes a number of tricks (RULES §5.6)."""
    table.trump = trump
    table.maker = table.seat
    table.contract = rules.maker_needs


@kernel
def _all_pass(table: Any, rules: Any) -> None:
    """Nobody makes trump: no-trump without a maker, or a redeal, which has no trump (RULES §5.7, §5.8)."""
    if rules.all_pass == AllPass.NO_TRUMP.value:
        table.trump = NO_TRUMP
        open_play(table, rules)
    else:
        table.phase = Phase.OVER


@kernel
def legal_bid(table: Any, rules: Any) -> int:
    """Pass, or higher than the last bid (RULES §6.1, §6.6)."""
    bids = BIT[PASS]
    for tricks in range(max(rules.bid_min, table.contract + 1), rules.bid_max + 1):
        bids |= BIT[BID + tricks - 1]
    return bids


@kernel
def apply_bid(table: Any, rules: Any, action: int) -> None:
    """A bid or a pass; the last bidder is the maker and names trump (RULES §6.2 to §6.5)."""
    seat = table.seat
    if action == PASS:
        table.passed[IN_AUCTION] |= BIT[seat]
    else:
        if rules.bid_circuits != BidCircuits.ONE.value:
            table.passed[IN_AUCTION] = 0  # who passed may bid when the turn returns
        table.contract = action - BID + 1
        table.maker = seat
        table.bidders[table.contract - 1] = seat
    table.seat = left(seat, rules, 1)
    if rules.bid_circuits == BidCircuits.ONE.value:
        over = seat == table.dealer  # every seat acts once
    else:
        in_a_row = count(table.passed[IN_AUCTION])
        over = in_a_row == (rules.seats if table.maker == NONE else rules.seats - 1)
    if over and table.maker == NONE:
        _all_pass(table, rules)
    elif over:
        table.seat = table.maker
        table.phase = Phase.NAME
