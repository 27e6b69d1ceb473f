"""The luck of the deal: numbers that follow from the cards of a deal alone, and whose means are known exactly.

They are control variates. A figure of a deal goes up and down with them, and their means are known. What they explain
of the figure can therefore be taken out without moving its mean, whatever the coefficients, if those come from other
deals.
"""

from __future__ import annotations

import itertools
from functools import cache

import numpy as np

from buck_env.environments.tables import Tables
from buck_env.game.cards import STRENGTH, SUIT
from buck_env.game.rules import Rules

__all__ = ["deal_luck", "expected_luck"]

_TRUMPS = {13: 37, 12: 27, 11: 20, 10: 18}
"""The worth of right and left bower, ace and king of trumps, in tenths of a step of `hand_value`; others 16."""
_ACE, _KING = 13, 4
"""The worth of an ace and of a king of another suit."""


def _worth(trump: int, card: int) -> int:
    if SUIT[trump, card] == trump:
        return _TRUMPS.get(int(STRENGTH[trump, trump, card]), 16)
    return {5: _ACE, 4: _KING}.get(card % 6, 0)


_WORTH = np.array([[_worth(trump, card) for card in range(24)] for trump in range(4)])
"""(4, 24) int64: what a card helps a hand under a trump."""


def deal_luck(rules: Rules, seeds: np.ndarray) -> np.ndarray:
    """The numbers of the deals of these seeds, shape (n, C) int64.

    For each place from the dealer's left there is the worth of its hand under its best suit. Where a card is turned,
    there are also the worth of each hand under that suit and that of the turned card. Where a turned club is trump,
    there are also whether a club is turned, and the worth of each hand if so.
    """
    tables = Tables(rules, len(seeds))
    tables.reset_seeds(seeds)
    pack, dealer = tables.logs["pack"].astype(np.int64), tables.logs["dealer"].astype(np.int64)
    places = (dealer[:, None] + 1 + np.arange(rules.seats)) % rules.seats
    hands = pack[:, : 5 * rules.seats].reshape(-1, rules.seats, 5)
    hands = np.take_along_axis(hands, places[:, :, None], axis=1)
    return np.concatenate(_numbers(rules, hands, pack[:, 5 * rules.seats]), axis=1)


def _numbers(rules: Rules, hands: np.ndarray, turned: np.ndarray) -> list[np.ndarray]:
    """The groups of numbers, shapes (n, ...), of hands (n, H, 5) and the turned cards (n,)."""
    worth = _WORTH[:, hands].sum(axis=-1)  # (4, n, H)
    groups = [worth.max(axis=0)]
    if rules.turn_up:
        suit = turned // 6
        under = worth[suit, np.arange(len(suit))]  # (n, H)
        groups += [under, _WORTH[suit, turned][:, None]]
        if rules.forced_clubs:
            club = (suit == 0)[:, None]
            groups += [club.astype(np.int64), club * under]
    return groups


@cache
def expected_luck(rules: Rules) -> np.ndarray:
    """The exact means of these numbers over all hands and turned cards, shape (C,) float64. All places are alike."""
    hands = np.array(list(itertools.combinations(range(24), 5)))  # (42504, 5)
    best = _numbers(rules, hands[:, None], np.zeros(len(hands), np.int64))[0].mean().item()
    # The rest are sums over the cards of a hand: five times the mean over one card and another that is turned.
    card, turned = (cards.reshape(-1) for cards in np.nonzero(~np.eye(24, dtype=np.bool_)))
    one = [float(group.mean()) for group in _numbers(rules, card[:, None, None], turned)[1:]]
    means = [best] * rules.seats
    if rules.turn_up:
        means += [5 * one[0]] * rules.seats + [one[1]]
        if rules.forced_clubs:
            means += [one[2]] + [5 * one[3]] * rules.seats
    return np.array(means)
