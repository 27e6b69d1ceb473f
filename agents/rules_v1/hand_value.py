"""What a hand is worth: how many tricks it may take, as chances, and the points these bring.

A hand under a trump is described by 22 numbers; their weighted sum, held against five cuts, gives the chance of each
number of tricks (an ordered logit). The weights were fitted to 240,000 hands, 40,000 of each profile, in which seats of
rules-v1 sat with one another and, in a fifth of the hands, with random ones.
"""

from __future__ import annotations

from math import exp
from typing import Any, Final

import numpy as np

from agents.rules_v1.stakes import worth
from buck_env.base.compiled import kernel
from buck_env.game.bits import count
from buck_env.game.cards import FOLLOW, NO_TRUMP, STRENGTH, SUIT
from buck_env.game.options import Lead, Making

__all__ = ["EVERYONE", "MAKER", "NUM_FEATURES", "STAYER", "expected", "strength_of"]

MAKER, STAYER, EVERYONE = range(3)
"""What a seat undertakes: its contract, to take a part against a maker, or nothing where there is no maker."""

NUM_FEATURES: Final = 22
TOP: Final = 0  # right bower, left bower, ace, king, queen of trumps, then how many lower ones
THREE, FOUR, NO_TRUMPS = 6, 7, 8  # at least so many trumps; none
ACES, KINGS, GUARDED = 9, 10, 11  # plain aces, plain kings without and with their ace
SHAPE: Final = 12  # plain suits that can be ruffed; at no-trump the cards beyond two of the longest suit
LEADS, TURN = 13, 14  # has the opening lead; how late it plays to it, 0..1
THREE_SEATS, STAYER_NEEDS = 15, 16
TAKEN_UP: Final = 17  # the power of the trump that the dealer, another seat, takes up
STAYED, TO_DECIDE, CONTRACT = 18, 19, 20  # for a stayer: who stayed, who has yet to say, the contract less 3
CALLED: Final = 21  # trump is not the turned suit

WEIGHTS = np.array(
    [
        [3.72, 2.70, 2.04, 1.79, 1.65, 1.62, 0.17, -0.14, 0.94, 1.29, 0.57,
         0.16, 0.38, -0.13, 0.15, -0.07, 0.66, -0.78, 0, 0, 0, -0.18],
        [3.47, 2.47, 1.95, 1.74, 1.59, 1.53, 0.10, -0.23, 0.82, 1.24, 0.56,
         0.05, 0.44, 0.49, 0.27, 0.14, 0.95, -0.22, -0.74, -0.23, 0.29, -0.51],
        [4.31, 3.10, 2.37, 2.05, 1.86, 1.69, -0.09, -0.02, 1.14, 1.19, 0.17,
         -0.14, 0.46, 0.49, 1.15, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 1.29, 0.32, 0.69, 0.70, -0.05, 0, -0.05, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 1.30, 0.62, -0.15, -0.17, 1.05, 0.30, 0.23, 0, 0, -0.59, 0.07, 0.29, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 2.25, 0.40, 0.25, 0.22, 1.19, 0.33, 0, 0, 0, 0, 0, 0, 0],
    ]
)  # fmt: skip
"""(6, 22): the weight of each number: maker, stayer, everyone with a trump, then the same at no-trump."""

CUTS = np.array(
    [
        [2.69, 4.87, 6.76, 8.70, 10.71],
        [2.50, 4.70, 6.69, 8.44, 10.30],
        [4.47, 6.90, 9.12, 11.40, 13.80],
        [0.27, 1.33, 2.11, 2.93, 3.69],
        [1.62, 2.43, 3.33, 4.17, 5.21],
        [2.37, 3.74, 5.13, 6.65, 7.95],
    ]
)
"""(6, 5): the strength at which 1..5 tricks or more are as likely as not."""


@kernel
def strength_of(table: Any, rules: Any, seat: int, hand: int, trump: int, role: int, taken_up: int, x: Any) -> float:
    """How strong five cards are in a role under a trump; `taken_up`: what the dealer, another seat, takes up, or -1."""
    for i in range(NUM_FEATURES):
        x[i] = 0.0
    _describe_cards(hand, trump, x)
    leader = table.dealer + 1
    if rules.lead == Lead.MAKER.value and role != EVERYONE:
        leader = seat if role == MAKER else table.maker
    turn = (seat + 2 * rules.seats - leader) % rules.seats
    x[LEADS] = turn == 0
    x[TURN] = turn / (rules.seats - 1)
    x[THREE_SEATS] = rules.seats == 3
    x[STAYER_NEEDS] = (rules.stayer_needs - 1) / 2.0
    if taken_up >= 0 and trump != NO_TRUMP:
        x[TAKEN_UP] = (STRENGTH[trump, trump, taken_up] - 6) / 7.0
    if rules.making == Making.ORDER.value and role != EVERYONE:
        x[CALLED] = SUIT[NO_TRUMP, table.rest[0]] != trump
    if role == STAYER:
        x[STAYED] = count(np.int64(table.stayed))
        x[TO_DECIDE] = rules.seats - 2 - count(np.int64(table.stayed | table.dropped))
        x[CONTRACT] = table.contract - 3
    row = role + 3 if trump == NO_TRUMP else role
    strength = 0.0
    for i in range(NUM_FEATURES):
        strength += x[i] * WEIGHTS[row, i]
    return strength


@kernel
def _describe_cards(hand: int, trump: int, x: Any) -> None:
    trumps = hand & FOLLOW[trump, trump] if trump != NO_TRUMP else np.int64(0)
    held = count(trumps)
    rest = trumps
    while rest:
        low = rest & -rest
        rest ^= low
        strength = STRENGTH[trump, trump, count(low - 1)]
        x[TOP + (13 - strength if strength > 8 else 5)] += 1.0
    x[THREE] = trump != NO_TRUMP and held >= 3
    x[FOUR] = trump != NO_TRUMP and held >= 4
    x[NO_TRUMPS] = trump != NO_TRUMP and held == 0
    longest = 0
    for suit in range(4):
        if suit != trump:
            mine = hand & ~trumps & 63 << 6 * suit
            ace = mine >> 6 * suit + 5 & 1
            king = mine >> 6 * suit + 4 & 1
            x[ACES] += ace
            x[KINGS] += king & ~ace
            x[GUARDED] += king & ace
            x[SHAPE] += mine == 0 and held > 0
            longest = max(longest, count(mine))
    if trump == NO_TRUMP:
        x[SHAPE] = max(longest - 2, 0)


@kernel
def expected(strength: float, role: int, trump: int, needs: int, rules: Any, stakes: Any) -> float:
    """The points that a hand of some strength brings on average to a seat that needs so many tricks."""
    if needs > 5:
        return worth(rules, role == MAKER, needs, 0, stakes)  # out of reach, whatever the hand
    row = role + 3 if trump == NO_TRUMP else role
    value = 0.0
    more = 1.0  # the chance of at least so many tricks
    for tricks in range(6):
        then = 1.0 / (1.0 + exp(CUTS[row, tricks] - strength)) if tricks < 5 else 0.0
        value += (more - then) * worth(rules, role == MAKER, needs, tricks, stakes)
        more = then
    return value
