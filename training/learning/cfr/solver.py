"""External-sampling Monte Carlo counterfactual regret minimisation (Lanctot, Waugh, Zinkevich and Bowling 2009).

An iteration deals many hands and walks through all of them at once, one decision deeper at a time. In each deal every
player takes its turn as the one whose regrets are learned: it tries all its options, while the others' choices are
sampled. The turns of one deal share these samples, and so the positions that they have in common. Regrets are updated
when the iteration ends, and iteration t counts t times (linear weighting, Brown and Sandholm 2019).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from training.learning.cfr.game import OVER, Game
from training.learning.cfr.tables import RegretTables, match_regrets

__all__ = ["Solver"]


@dataclass(frozen=True)
class _Level:
    """The positions of an iteration that are equally many decisions deep."""

    ends: np.ndarray
    """(N,) bool: where the game is over;"""
    players: np.ndarray
    """(M,) of the others, the decisions: the player to act,"""
    rows: np.ndarray
    """(M,) the row of its information set,"""
    strategy: np.ndarray
    """(M, W) what it does,"""
    sampled: np.ndarray
    """(M,) the option sampled,"""
    visits: np.ndarray
    """(M, P) bool: in whose turns the decision is met,"""
    parents: np.ndarray
    """(K,) for each position of the next level, the decision before it,"""
    chosen: np.ndarray
    """(K,) and the option."""


class Solver:
    """Regret minimisation in one game."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.tables = RegretTables(game.width)
        self.iterations = 0
        self._seed = seed

    def iterate(self, numbers: np.ndarray) -> int:
        """Learn from the deals of these numbers, (N,) int64; the number of decisions whose regrets were updated."""
        self.iterations += 1
        levels, positions = self._descend(numbers)
        return self._update(levels, self.game.utilities(positions))

    def _descend(self, numbers: np.ndarray) -> tuple[list[_Level], np.ndarray]:
        """The levels of the walk, and the positions in which it ends, level by level."""
        game, generator = self.game, np.random.default_rng((self._seed, self.iterations))
        positions = game.deal(numbers)
        visits = np.ones((len(positions), game.players), bool)
        levels: list[_Level] = []
        over: list[np.ndarray] = []
        while len(positions):
            players, keys, counts = game.look(positions)
            ends = players == OVER
            over.append(positions[ends])
            players, keys, counts, visits = players[~ends], keys[~ends], counts[~ends], visits[~ends]
            rows = self.tables.find(keys, counts)
            strategy = match_regrets(self.tables.regrets[rows], counts)
            sampled = _sample(strategy, counts, generator.random(len(rows)))
            followed = self._follow(players, counts, sampled, visits)
            parents, chosen = np.nonzero(followed.any(axis=2))
            levels.append(_Level(ends, players, rows, strategy, sampled, visits, parents, chosen))
            positions = game.step(positions[~ends][parents], chosen)
            visits = followed[parents, chosen]
        return levels, np.concatenate(over)

    def _follow(self, players: np.ndarray, counts: np.ndarray, sampled: np.ndarray, visits: np.ndarray) -> np.ndarray:
        """(M, W, P) bool: in whose turns each option is taken: in the player's own all, in the others' the sampled."""
        options = np.arange(self.game.width)
        is_own = (players[:, None] == np.arange(self.game.players))[:, None]
        exists = (options < counts[:, None])[:, :, None]
        is_sampled = (options == sampled[:, None])[:, :, None]
        return np.where(is_own, exists, is_sampled) & visits[:, None]

    def _update(self, levels: list[_Level], utilities: np.ndarray) -> int:
        """Bring utilities (N, P) of the ends back up the levels, and what they say into the tables."""
        tables = self.tables
        updated: Any = 0
        values = np.empty((0, self.game.players))
        end: Any = len(utilities)
        for level in reversed(levels):
            after = np.zeros((*level.strategy.shape, self.game.players))
            after[level.parents, level.chosen] = values
            each = np.arange(len(level.players))
            own = after[each, :, level.players]  # (M, W): what each option brings the player to act
            mean = (level.strategy * own).sum(axis=1)
            decided = after[each, level.sampled]
            decided[each, level.players] = mean
            learns = level.visits[each, level.players]
            exists = np.arange(self.game.width) < tables.counts[level.rows][:, None]
            regrets = np.where(exists, own - mean[:, None], 0.0)
            np.add.at(tables.regrets, level.rows[learns], self.iterations * regrets[learns])
            turns = level.visits.sum(axis=1) - learns  # of the others, in which this player acts by its strategy
            np.add.at(tables.strategies, level.rows, self.iterations * turns[:, None] * level.strategy)
            begin = end - np.count_nonzero(level.ends)
            values = np.empty((len(level.ends), self.game.players))
            values[level.ends] = utilities[begin:end]
            values[~level.ends] = decided
            end = begin
            updated += np.count_nonzero(learns)
        return int(updated)


def _sample(strategy: np.ndarray, counts: np.ndarray, uniforms: np.ndarray) -> np.ndarray:
    """An option of each row of strategies (N, W), drawn by uniforms (N,) in [0, 1)."""
    below = np.cumsum(strategy, axis=1) <= uniforms[:, None]
    return np.minimum(below.sum(axis=1), counts - 1)
