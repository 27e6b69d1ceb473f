"""Games small enough to be walked: Kuhn poker, and Buck Euchre with a deck cut to a few live cards."""

from __future__ import annotations

from hashlib import blake2b
from itertools import permutations

import numpy as np

from buck_env import Rules
from buck_env.game.engine import deal
from buck_env.observation.views import Views
from training.learning.cfr.game import OVER, Decisions
from training.learning.cfr.house import House

DEALS = np.array(list(permutations(range(3), 2)))
"""(6, 2): the cards of both players in every deal."""
_OVER = ("pp", "pbp", "pbb", "bp", "bb")
_HISTORIES = ("", "p", "b", "pb", *_OVER)


class Kuhn:
    """A position is (deal, history), two numbers; option 0 passes or folds, option 1 bets or calls."""

    players = 2
    width = 2

    def deal(self, numbers: np.ndarray) -> np.ndarray:
        return np.stack([numbers % len(DEALS), np.zeros_like(numbers)], axis=1)

    def look(self, positions: np.ndarray) -> Decisions:
        deals, histories = positions.T
        lengths = np.array([len(history) for history in _HISTORIES])[histories]
        players = np.where(histories >= len(_HISTORIES) - len(_OVER), OVER, lengths % 2)
        keys = 3 * histories + DEALS[deals, np.maximum(players, 0)]
        return Decisions(players, keys, np.full(len(positions), 2))

    def step(self, positions: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        after = np.array(
            [[_HISTORIES.index(history + one) if history + one in _HISTORIES else 0 for one in "pb"]
             for history in _HISTORIES]
        )  # fmt: skip
        return np.stack([positions[:, 0], after[positions[:, 1], chosen]], axis=1)

    def utilities(self, positions: np.ndarray) -> np.ndarray:
        first = [self._wins(DEALS[deal], _HISTORIES[history]) for deal, history in positions]
        return np.array([[won, -won] for won in first], float).reshape(-1, 2)

    @staticmethod
    def _wins(cards: np.ndarray, history: str) -> int:
        """What the first player wins."""
        if history in ("bp", "pbp"):
            return 1 if history == "bp" else -1
        return int(np.sign(cards[0] - cards[1])) * (2 if "b" in history else 1)


def seen_exactly(views: Views) -> tuple[np.ndarray, np.ndarray]:
    """All that a seat sees, hashed, and its legal actions: what an abstraction leaves out is in it."""
    keys = [int.from_bytes(blake2b(table.tobytes(), digest_size=7).digest()) for table in views.tables]
    options = views.action_mask.astype(np.int64) @ (1 << np.arange(views.action_mask.shape[1], dtype=np.int64))
    return np.array(keys, np.int64), options


class CutDeck(House):
    """`live` lists the live cards: one goes to every seat, one is turned, in every order; seat 0 deals."""

    def __init__(self, rules: Rules, live: list[int]) -> None:
        super().__init__(rules, 0, seen_exactly)
        self.width = 5  # a pass and four bids, or a pass and three suits
        rest = [card for card in np.random.default_rng(1).permutation(24).tolist() if card not in live]
        self.packs = []
        for order in permutations(live):
            dead = iter(rest)
            hands = [[card, *(next(dead) for _ in range(4))] for card in order[: rules.seats]]
            self.packs.append([card for hand in hands for card in hand] + list(order[rules.seats :]) + list(dead))

    def _shuffle(self, tables: np.ndarray, numbers: np.ndarray) -> None:
        for table, number in zip(tables, numbers.tolist(), strict=True):
            deal(table, self.rules.packed()[0], np.array(self.packs[number % len(self.packs)], np.int8), 0)
