"""The rules in motion. The switch: each phase has one legal/apply pair, in a file of its own.

A legal set is a mask of 43 bits, one an action. These functions are compiled and trust their caller: an action comes
out of `permitted`. There is no float, no reward and no randomness here: whoever owns the generator shuffles.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.dealing import apply_exchange, deal, legal_exchange
from buck_env.game.making import apply_bid, apply_call, apply_order, legal_bid, legal_call, legal_order
from buck_env.game.naming import apply_discard, apply_name, legal_discard, legal_name
from buck_env.game.options import IllegalPlay, Phase
from buck_env.game.playing import apply_play, follows, legal_play, pay, play_card
from buck_env.game.scoring import winners
from buck_env.game.staying import apply_stay, legal_stay
from buck_env.game.table import NONE

__all__ = ["apply", "apply_rows", "apply_seen_play", "deal", "follows", "legal", "permitted"]


@kernel
def legal(table: Any, rules: Any) -> int:
    """The legal actions of the seat to act as a mask of 43 bits; 0 when the hand is over (RULES §3.1, §3.3)."""
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
    """What `apply` accepts: the legal actions, and where reneges are played every card held (RULES §3.4, §10.1)."""
    if rules.illegal_play == IllegalPlay.RENEGE.value and table.phase == Phase.PLAY:
        return np.int64(table.hand[table.seat])
    return legal(table, rules)


@kernel
def permitted_rows(tables: Any, packed: Any, masks: Any) -> None:
    """What each of N tables permits, a mask each (RULES §3.4)."""
    for i in range(len(tables)):
        masks[i] = permitted(tables[i], packed[0])


@kernel
def apply(table: Any, rules: Any, action: int) -> None:
    """Take a permitted action of the seat to act (RULES §3.1)."""
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
    if table.phase == Phase.OVER:
        _close(table, rules)


@kernel
def apply_rows(tables: Any, packed: Any, actions: Any) -> None:
    """Take a permitted action at each of N tables (RULES §3.1)."""
    for i in range(len(tables)):
        apply(tables[i], packed[0], actions[i])


@kernel
def apply_seen_play(table: Any, rules: Any, card: int, reneges: bool) -> None:
    """Play a card for a viewer who may not see the hand it comes from, and knows from what follows if it reneges.

    RULES §10.1, §13.2.
    """
    play_card(table, rules, card, reneges)
    if table.phase == Phase.OVER:
        _close(table, rules)


@kernel
def _close(table: Any, rules: Any) -> None:
    """Pay the points of a hand that is over, and see who has won; a redeal pays nothing (RULES §5.8, §12.6)."""
    table.seat = NONE
    if table.trump != NONE:
        for seat in range(rules.seats):
            pay(table, rules, seat)
        table.hands_played += 1
        table.winners = winners(table, rules)
