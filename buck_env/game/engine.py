"""The rules in motion: one legal/apply pair a phase, in the order of play.

A legal set is a mask of 43 bits, one an action. These functions are compiled and trust their caller: an action comes
out of `permitted`. There is no float, no reward and no randomness here: whoever owns the generator shuffles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.actions import BID, DROP, EXCHANGE, KEEP, NAME, ORDER, PASS, STAY
from buck_env.game.bits import BIT, count, left, next_in
from buck_env.game.cards import FOLLOW, NO_TRUMP, STRENGTH, SUIT
from buck_env.game.options import AllPass, BidCircuits, Discard, Exchange, IllegalPlay, Lead, Making, StayFrom
from buck_env.game.scoring import charge, finish, score, walk_over
from buck_env.game.table import NONE, Phase

__all__ = [
    "CARD",
    "IN_AUCTION",
    "IN_CALL",
    "IN_ORDER",
    "SEAT_SHIFT",
    "apply",
    "deal",
    "follow_or_renege",
    "follows",
    "legal",
    "permitted",
]

CARD = 31
SEAT_SHIFT = 5
"""A play is ``32 * seat + card``."""


IN_ORDER, IN_CALL, IN_AUCTION = range(3)  # the places of TABLE.passed

# --- The deal ---------------------------------------------------------------------------------------------------------


@kernel
def deal(table: Any, rules: Any, pack: Any, dealer: int) -> None:
    """Deal a shuffled pack of 24 to seats 0, 1, …, five each, the rest beside; scores and hands played stay."""
    for seat in range(4):
        table.hand[seat] = 0
        table.laid[seat] = 0
        table.tricks[seat] = 0
        table.deltas[seat] = 0
        table.discards[seat] = NONE
    for i in range(9):
        table.rest[i] = NONE
    for i in range(24):
        seat = i // 5
        if seat < rules.seats:
            table.hand[seat] = table.hand[seat] | BIT[pack[i]]
        else:
            table.rest[i - 5 * rules.seats] = pack[i]
    for i in range(20):
        table.plays[i] = 0
    for trick in range(6):
        table.starts[trick] = NONE
    for i in range(8):
        table.bidders[i] = NONE
    for i in range(3):
        table.passed[i] = 0
    table.dealer = dealer
    table.maker = NONE
    table.trump = NONE
    table.contract = 0
    table.exchanged = 0
    table.kept = 0
    table.stayed = 0
    table.dropped = 0
    table.reneged = 0
    table.played = 0
    table.trick = 0
    table.winners = 0
    if rules.exchange == Exchange.NONE:
        _open_making(table, rules)
    else:
        table.phase = Phase.EXCHANGE
        table.seat = left(dealer, rules, rules.seats - 1)


# --- exchange: dealer's right, dealer, dealer's left ------------------------------------------------------------------


@kernel
def legal_exchange(table: Any, rules: Any) -> int:
    return BIT[EXCHANGE] | BIT[KEEP]


@kernel
def apply_exchange(table: Any, rules: Any, action: int) -> None:
    seat = table.seat
    if action == EXCHANGE:
        new = _face_down(table, rules)
        table.laid[seat] = table.hand[seat]
        table.hand[seat] = new
        table.exchanged |= BIT[seat]
    else:
        table.kept |= BIT[seat]
    taken = action == EXCHANGE and rules.exchange == Exchange.FIRST  # the first taker ends it [C]
    if taken or seat == left(table.dealer, rules, 1):
        _open_making(table, rules)
    else:
        table.seat = left(seat, rules, 1)


@kernel
def _face_down(table: Any, rules: Any) -> int:
    """What the next taker gets: the hand last laid down, at first the widow."""
    for steps in range(1, rules.seats + 1):
        earlier = left(table.seat, rules, rules.seats - steps)
        if table.exchanged & BIT[earlier]:
            return np.int64(table.laid[earlier])
    widow = np.int64(0)
    for i in range(5):
        if table.rest[i] >= 0:
            widow |= BIT[table.rest[i]]
    return widow


# --- Making trump -----------------------------------------------------------------------------------------------------


@kernel
def _open_making(table: Any, rules: Any) -> None:
    table.seat = left(table.dealer, rules, 1)
    if rules.forced_clubs and SUIT[NO_TRUMP, table.rest[0]] == 0:
        table.trump = 0  # a club turned: clubs trump, everyone plays, no maker
        _open_play(table, rules)
    elif rules.making == Making.ORDER:
        table.phase = Phase.ORDER
    elif rules.making == Making.BID:
        table.phase = Phase.BID
    else:  # the stuck dealer takes the buck of four
        table.seat = table.dealer
        for i in range(4):
            if table.rest[i] >= 0:
                table.hand[table.dealer] = table.hand[table.dealer] | BIT[table.rest[i]]
        table.phase = Phase.DISCARD


@kernel
def legal_order(table: Any, rules: Any) -> int:
    return BIT[ORDER] | BIT[PASS]


@kernel
def apply_order(table: Any, rules: Any, action: int) -> None:
    seat = table.seat
    if action == ORDER:
        _make(table, rules, SUIT[NO_TRUMP, table.rest[0]])
        if rules.pick_up:  # the dealer takes the upcard, whoever ordered
            table.hand[table.dealer] = table.hand[table.dealer] | BIT[table.rest[0]]
            if rules.discard != Discard.AFTER_STAY:
                table.seat = table.dealer
                table.phase = Phase.DISCARD
                return
        _open_stay(table, rules)
    else:
        table.passed[IN_ORDER] |= BIT[seat]
        table.seat = left(seat, rules, 1)
        if seat == table.dealer:
            table.phase = Phase.CALL


@kernel
def legal_call(table: Any, rules: Any) -> int:
    """Any suit but the one turned down."""
    names = BIT[NAME] | BIT[NAME + 1] | BIT[NAME + 2] | BIT[NAME + 3]
    if rules.no_trump:
        names |= BIT[NAME + NO_TRUMP]
    return names & ~BIT[NAME + SUIT[NO_TRUMP, table.rest[0]]] | BIT[PASS]


@kernel
def apply_call(table: Any, rules: Any, action: int) -> None:
    seat = table.seat
    if action != PASS:
        _make(table, rules, action - NAME)
        _open_stay(table, rules)
    else:
        table.passed[IN_CALL] |= BIT[seat]
        table.seat = left(seat, rules, 1)
        if seat == table.dealer:
            _all_pass(table, rules)


@kernel
def _make(table: Any, rules: Any, trump: int) -> None:
    """The seat to act makes trump and undertakes a number of tricks."""
    table.trump = trump
    table.maker = table.seat
    table.contract = rules.maker_needs


@kernel
def _all_pass(table: Any, rules: Any) -> None:
    if rules.all_pass == AllPass.NO_TRUMP:
        table.trump = NO_TRUMP  # everyone plays, nobody undertakes
        _open_play(table, rules)
    else:
        finish(table)  # a redeal: scores stay, the deal passes on


@kernel
def legal_bid(table: Any, rules: Any) -> int:
    """Pass, or higher than the last bid."""
    bids = BIT[PASS]
    for tricks in range(max(rules.bid_min, table.contract + 1), rules.bid_max + 1):
        bids |= BIT[BID + tricks - 1]
    return bids


@kernel
def apply_bid(table: Any, rules: Any, action: int) -> None:
    seat = table.seat
    if action == PASS:
        table.passed[IN_AUCTION] |= BIT[seat]
    else:
        if rules.bid_circuits != BidCircuits.ONE:
            table.passed[IN_AUCTION] = 0  # who passed may bid when the turn returns
        table.contract = action - BID + 1
        table.maker = seat
        table.bidders[table.contract - 1] = seat
    table.seat = left(seat, rules, 1)
    if rules.bid_circuits == BidCircuits.ONE:
        over = seat == table.dealer  # every seat acts once
    else:
        in_a_row = count(table.passed[IN_AUCTION])
        over = in_a_row == (rules.seats if table.maker == NONE else rules.seats - 1)
    if over and table.maker == NONE:
        _all_pass(table, rules)
    elif over:
        table.seat = table.maker
        table.phase = Phase.NAME


# --- discard and name -------------------------------------------------------------------------------------------------


@kernel
def legal_discard(table: Any, rules: Any) -> int:
    return np.int64(table.hand[table.dealer])


@kernel
def apply_discard(table: Any, rules: Any, action: int) -> None:
    """One card at a time; HIDDEN stands for a card that the viewer of a table does not see."""
    made = 0
    while table.discards[made] != NONE:
        made += 1
    table.discards[made] = action
    if action >= 0:
        table.hand[table.dealer] = table.hand[table.dealer] & ~BIT[action]
    if rules.making == Making.DEALER:
        if made == 3:
            table.phase = Phase.NAME
    elif rules.discard == Discard.AFTER_STAY:
        _open_play(table, rules)
    else:
        _open_stay(table, rules)


@kernel
def legal_name(table: Any, rules: Any) -> int:
    names = BIT[NAME] | BIT[NAME + 1] | BIT[NAME + 2] | BIT[NAME + 3]
    if rules.no_trump:
        names |= BIT[NAME + NO_TRUMP]
    return names


@kernel
def apply_name(table: Any, rules: Any, action: int) -> None:
    table.trump = action - NAME
    if table.maker == NONE:  # the stuck dealer is no maker
        _open_play(table, rules)
    else:
        _open_stay(table, rules)


# --- stay: every seat but the maker -----------------------------------------------------------------------------------


@kernel
def _open_stay(table: Any, rules: Any) -> None:
    if not rules.may_drop:
        _close_stay(table, rules)
        return
    table.phase = Phase.STAY
    first = table.maker if rules.stay_from == StayFrom.MAKER else table.dealer
    table.seat = left(first, rules, 1)
    if table.seat == table.maker:
        table.seat = left(table.seat, rules, 1)


@kernel
def legal_stay(table: Any, rules: Any) -> int:
    if table.scores[table.seat] <= rules.forced_stay:
        return BIT[STAY]
    return BIT[STAY] | BIT[DROP]


@kernel
def apply_stay(table: Any, rules: Any, action: int) -> None:
    seat = table.seat
    if action == DROP:
        table.dropped |= BIT[seat]
    else:
        table.stayed |= BIT[seat]
    seat = left(seat, rules, 1)
    if seat == table.maker:
        seat = left(seat, rules, 1)
    if (table.stayed | table.dropped) & BIT[seat]:
        _close_stay(table, rules)
    else:
        table.seat = seat


@kernel
def _close_stay(table: Any, rules: Any) -> None:
    if count(table.dropped) == rules.seats - 1:
        walk_over(table, rules)
        return
    upcard_taken = rules.pick_up and not table.passed[IN_ORDER] & BIT[table.dealer]
    if upcard_taken and rules.discard == Discard.AFTER_STAY and not table.dropped & BIT[table.dealer]:
        table.seat = table.dealer
        table.phase = Phase.DISCARD
    else:
        _open_play(table, rules)


# --- play -------------------------------------------------------------------------------------------------------------


@kernel
def _open_play(table: Any, rules: Any) -> None:
    table.phase = Phase.PLAY
    if rules.lead == Lead.MAKER and table.maker != NONE:
        table.seat = table.maker
    else:
        table.seat = next_in(table.dealer, rules, table.dropped)
    table.starts[0] = 0


@kernel
def legal_play(table: Any, rules: Any) -> int:
    """Follow the led suit if able, otherwise any card."""
    hand = np.int64(table.hand[table.seat])
    start = table.starts[table.trick]
    if table.played == start:
        return hand
    following = hand & FOLLOW[table.trump, SUIT[table.trump, table.plays[start] & CARD]]
    return following if following else hand


@kernel
def follows(table: Any, card: int) -> bool:
    """Whether a card leads, or belongs to the suit led."""
    start = table.starts[table.trick]
    led = card if table.played == start else table.plays[start] & CARD
    return SUIT[table.trump, card] == SUIT[table.trump, led]


@kernel
def apply_play(table: Any, rules: Any, action: int) -> None:
    reneges = rules.illegal_play == IllegalPlay.RENEGE and BIT[action] & legal_play(table, rules) == 0
    follow_or_renege(table, rules, action, reneges)


@kernel
def follow_or_renege(table: Any, rules: Any, action: int, reneges: bool) -> None:
    """Play a card, told whether it is a renege (a viewer who does not see the hand is told by what comes after)."""
    seat = table.seat
    table.plays[table.played] = seat << SEAT_SHIFT | action
    table.played += 1
    table.hand[seat] = table.hand[seat] & ~BIT[action]
    if reneges:  # at once the penalty; the seat plays no more
        table.reneged |= BIT[seat]
        charge(table, rules, seat, -rules.renege_penalty)
        out = table.dropped | table.reneged
        if count(out) == rules.seats - 1:  # a last remaining seat takes the rest of the tricks
            last = 0
            while out & BIT[last]:
                last += 1
            table.tricks[last] += 5 - table.trick
            score(table, rules)
            return
    after = next_in(seat, rules, table.dropped | table.reneged)
    if after == table.plays[table.starts[table.trick]] >> SEAT_SHIFT:  # round to the leader
        _close_trick(table, rules)
    else:
        table.seat = after


@kernel
def _close_trick(table: Any, rules: Any) -> None:
    """The highest trump wins, else the highest card of the led suit; the winner leads next."""
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
        score(table, rules)
    else:
        table.starts[table.trick] = table.played
        table.seat = winner


# --- The switch -------------------------------------------------------------------------------------------------------


@kernel
def legal(table: Any, rules: Any) -> int:
    """The legal actions of the seat to act as a mask of 43 bits; 0 when the hand is over."""
    phase = table.phase
    if phase == Phase.PLAY:
        return legal_play(table, rules)
    if phase == Phase.STAY:
        return legal_stay(table, rules)
    if phase == Phase.ORDER:
        return legal_order(table, rules)
    if phase == Phase.CALL:
        return legal_call(table, rules)
    if phase == Phase.BID:
        return legal_bid(table, rules)
    if phase == Phase.DISCARD:
        return legal_discard(table, rules)
    if phase == Phase.NAME:
        return legal_name(table, rules)
    if phase == Phase.EXCHANGE:
        return legal_exchange(table, rules)
    return np.int64(0)


@kernel
def permitted(table: Any, rules: Any) -> int:
    """What `apply` accepts: the legal actions, and in a house that plays reneges every card held."""
    if rules.illegal_play == IllegalPlay.RENEGE and table.phase == Phase.PLAY:
        return np.int64(table.hand[table.seat])
    return legal(table, rules)


@kernel
def apply(table: Any, rules: Any, action: int) -> None:
    """Take a permitted action of the seat to act."""
    phase = table.phase
    if phase == Phase.PLAY:
        apply_play(table, rules, action)
    elif phase == Phase.STAY:
        apply_stay(table, rules, action)
    elif phase == Phase.ORDER:
        apply_order(table, rules, action)
    elif phase == Phase.CALL:
        apply_call(table, rules, action)
    elif phase == Phase.BID:
        apply_bid(table, rules, action)
    elif phase == Phase.DISCARD:
        apply_discard(table, rules, action)
    elif phase == Phase.NAME:
        apply_name(table, rules, action)
    else:
        apply_exchange(table, rules, action)
