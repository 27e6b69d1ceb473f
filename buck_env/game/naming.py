"""The dealer's discards, and trump named by the winner of the auction or the stuck dealer."""

from __future__ import annotations

from typing import Any

import numpy as np

from buck_env.base.compiled import kernel
from buck_env.game.actions import NAME
from buck_env.game.bits import BIT
from buck_env.game.cards import NO_TRUMP
from buck_env.game.facts import BUCK
from buck_env.game.options import Discard, Making, Phase
from buck_env.game.playing import open_play
from buck_env.game.staying import open_stay
from buck_env.game.table import NONE

__all__ = ["apply_discard", "apply_name", "legal_discard", "legal_name"]


@kernel
def legal_discard(table: Any, rules: Any) -> int:
    """Any card the dealer holds; a house may except the upcard it has just taken (RULES §7.1, §7.3, §7.6)."""
    hand = np.int64(table.hand[table.dealer])
    return hand if rules.discard_upcard else hand & ~BIT[table.rest[0]]


@kernel
def apply_discard(table: Any, rules: Any, action: int) -> None:
    """One card at a time; HIDDEN stands for a card that the viewer of a table does not see (RULES §7.2, §7.3)."""
    made = 0
    while table.discards[made] != NONE:
        made += 1
    table.discards[made] = action
    if action >= 0:
        table.hand[table.dealer] = table.hand[table.dealer] & ~BIT[action]
    if rules.making == Making.DEALER.value:
        if made == BUCK - 1:
            table.phase = Phase.NAME
    elif rules.discard == Discard.AFTER_STAY.value:
        open_play(table, rules)
    else:
        open_stay(table, rules)


@kernel
def legal_name(table: Any, rules: Any) -> int:
    """Any suit, and no-trump where the house has it (RULES §5.5, §7.4, §7.5)."""
    names = BIT[NAME] | BIT[NAME + 1] | BIT[NAME + 2] | BIT[NAME + 3]
    if rules.no_trump:
        names |= BIT[NAME + NO_TRUMP]
    return names


@kernel
def apply_name(table: Any, rules: Any, action: int) -> None:
    """Trump is named; where there is no maker everyone plays (RULES §6.5, §7.4)."""
    table.trump = action - NAME
    if table.maker == NONE:
        open_play(table, rules)
    else:
        open_stay(table, rules)
