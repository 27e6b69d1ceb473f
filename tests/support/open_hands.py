"""The play with all hands open, by trying everything: slow, and as plain as the rule that it follows."""

from __future__ import annotations

import numpy as np

from buck_env.game import engine
from buck_env.game.cards import NO_TRUMP, STRENGTH, SUIT
from buck_env.game.options import Phase
from buck_env.game.rules import Rules
from buck_env.game.scoring import points


def by_strength(cards: list[int], trump: int) -> list[int]:
    """Cards in the order in which one is preferred among equals: trumps, then S H D C, the strongest of each first."""

    def order(card: int) -> tuple[bool, int, int]:
        suit = int(SUIT[trump, card])
        return (trump != NO_TRUMP and suit == trump, suit, int(STRENGTH[trump, suit, card]))

    return sorted(cards, key=order, reverse=True)


def legal_cards(table: np.ndarray, rules: Rules) -> list[int]:
    legal = int(engine.legal(table[0], rules.packed()[0]))
    return [card for card in range(24) if legal >> card & 1]


def played_out(table: np.ndarray, rules: Rules, against: int | None = None) -> np.ndarray:
    """The table (1,) at the end of its hand when everybody knows all cards and what everybody else will do."""
    packed = rules.packed()[0]
    if table["phase"][0] == Phase.OVER:
        return table
    seat = int(table["seat"][0])
    best = None
    for card in by_strength(legal_cards(table, rules), int(table["trump"][0])):
        later = table.copy()
        engine.apply(later[0], packed, card)
        end = played_out(later, rules, against)
        whose = seat if against is None else against
        worth = int(points(end[0], packed, whose)) * (1 if whose == seat else -1)
        if best is None or worth > best[0]:
            best = worth, end
    assert best is not None
    return best[1]
