"""Making trump and staying in Buck Euchre as a game to be solved: `rules-v1` decides all else and plays the cards.

A position is a table. The game is over where the play begins: what it brings is what the hand brings when `rules-v1`
plays the cards in every seat.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from agents.cfr.phases import LEARNED
from agents.cfr.situations import bits_of, situations_of
from agents.rules_v1.player import RulesV1
from buck_env import Rules
from buck_env.base.compiled import kernel
from buck_env.game.engine import apply_rows, deal, legal
from buck_env.game.options import PHASES, Making, Phase
from buck_env.game.shuffle import shuffle
from buck_env.game.table import make_tables
from buck_env.observation.views import Views
from training.learning.cfr.game import OVER, Decisions

__all__ = ["House"]

_IS_LEARNED = np.array([phase in LEARNED for phase in (*PHASES, "over")])


class House:
    """The game of some rules, in a random deck; seats that are placed alike around the dealer share information sets.

    `describe` gives the information sets and options of views; any other than the default makes another abstraction.
    """

    def __init__(
        self,
        rules: Rules,
        seed: int,
        describe: Callable[[Views], tuple[np.ndarray, np.ndarray]] = situations_of,
    ) -> None:
        self.rules = rules
        self.players: int = rules.seats
        self.width = rules.bid_max - rules.bid_min + 2 if rules.making is Making.BID else 2
        self._seed = seed
        self._describe = describe
        self._player = RulesV1(rules)

    def deal(self, numbers: np.ndarray) -> np.ndarray:
        """The tables (N,) after the deals of these numbers, where the first decision is to be made."""
        tables = make_tables(len(numbers))
        tables["scores"][:, : self.players] = self.rules.start
        self._shuffle(tables, numbers)
        return self._go_on(tables)

    def look(self, positions: np.ndarray) -> Decisions:
        """Who decides at tables (N,), its situation, and its options."""
        players = np.where(_IS_LEARNED[positions["phase"]], positions["seat"].astype(np.int64), OVER)
        keys, counts = np.zeros((2, len(positions)), np.int64)
        decides = players != OVER
        keys[decides], options = self._describe(self._views(positions[decides]))
        counts[decides] = bits_of(options).sum(axis=1)
        return Decisions(players, keys, counts)

    def step(self, positions: np.ndarray, chosen: np.ndarray) -> np.ndarray:
        """The tables (N,) at the next decision after the options chosen."""
        _, options = self._describe(self._views(positions))
        actions = (bits_of(options).cumsum(axis=1) > chosen[:, None]).argmax(axis=1)
        after = positions.take(np.arange(len(positions)))
        apply_rows(after, self.rules.packed(), actions)
        return self._go_on(after)

    def utilities(self, positions: np.ndarray) -> np.ndarray:
        """The points toward the target (N, S) of hands, played on by `rules-v1`."""
        tables = positions.take(np.arange(len(positions)))
        rows = np.flatnonzero(tables["phase"] != Phase.OVER)
        while len(rows):
            self._take_turns(tables, rows)
            rows = rows[tables["phase"][rows] != Phase.OVER]
        return self.rules.toward * tables["deltas"][:, : self.players].astype(np.float64)

    def _shuffle(self, tables: np.ndarray, numbers: np.ndarray) -> None:
        """Deal the hands of these numbers at tables, the deal going round."""
        _deal_rows(tables, self.rules.packed(), self._seed, numbers)

    def _go_on(self, tables: np.ndarray) -> np.ndarray:
        """The same tables, taken to the next learned decision with a choice, or to the play."""
        while True:
            choices = np.empty(len(tables), np.int64)
            _count_choices(tables, self.rules.packed(), choices)
            waits = (choices > 1) & _IS_LEARNED[tables["phase"]] | (tables["phase"] >= Phase.PLAY)
            if waits.all():
                return tables
            self._take_turns(tables, np.flatnonzero(~waits))

    def _take_turns(self, tables: np.ndarray, rows: np.ndarray) -> None:
        """Let `rules-v1` act at some tables."""
        now = tables.take(rows)
        apply_rows(now, self.rules.packed(), self._player.act(self._views(now)))
        tables[rows] = now

    def _views(self, tables: np.ndarray) -> Views:
        return Views.at(self.rules, tables, np.zeros(len(tables)))


@kernel
def _deal_rows(tables: Any, packed: Any, seed: int, numbers: Any) -> None:
    pack = np.empty(24, np.int8)
    for i in range(len(tables)):
        shuffle(seed, numbers[i], pack)
        deal(tables[i], packed[0], pack, numbers[i] % packed[0].seats)


@kernel
def _count_choices(tables: Any, packed: Any, choices: Any) -> None:
    for i in range(len(tables)):
        options = legal(tables[i], packed[0])
        choices[i] = 1 if options & options - 1 == 0 else 2
