"""The sums of an event's single hands, with what the agents did in them and the largest swings."""

from __future__ import annotations

import numpy as np

from training.measuring.behaviour import BEHAVIOUR
from training.measuring.counts import as_numbers, as_records
from training.tournament.lineups import Lineups
from training.tournament.tally import Tally

__all__ = ["HandTally"]


class HandTally(Tally):
    """The tally of single hands. It also keeps what the agents did in them, and the largest swings."""

    def __init__(self, lineups: Lineups, expected_luck: np.ndarray, seed: int) -> None:
        super().__init__(lineups, expected_luck, seed)
        agents = lineups.agents
        self._sums["behaviour"] = as_numbers(np.zeros((agents, lineups.seats), BEHAVIOUR))
        self._sums["swings"] = np.zeros((4, agents, agents), np.int64)

    def add(self, first: int, scores: np.ndarray, luck: np.ndarray, behaviour: np.ndarray) -> None:
        """Add deals `first` onward, a block at most: scores (n, M, S), the luck (n, C), and what the agents did in all
        of them (K, S) BEHAVIOUR."""
        block = self._block(first, scores, luck)
        block["behaviour"] = as_numbers(behaviour)
        block["swings"] = _swings(scores[:, self.lineups.pairs, np.arange(self.lineups.seats)].astype(np.int64))
        block["swings"][2] += first
        self._take(block)

    def _joined(self, name: str, sums: np.ndarray, block: np.ndarray) -> np.ndarray:
        return _larger(sums, block) if name == "swings" else super()._joined(name, sums, block)

    @property
    def behaviour(self) -> np.ndarray:
        """(K, S) BEHAVIOUR: what each agent did, by its seat from the dealer."""
        return as_records(self._sums["behaviour"], BEHAVIOUR)

    @property
    def swings(self) -> np.ndarray:
        """(4, K, K) int64: for each pair the points of x in a seat among y's, what y scored there in the same deal with
        y in every seat, the deal and the seat, where these two differ most; of equals the first."""
        return self._sums["swings"]


def _swings(own: np.ndarray) -> np.ndarray:
    """The largest swings of n deals, shape (4, K, K), of the scores (n, K, K, S) of x in seat r among y's."""
    deals, agents, _, seats = own.shape
    mine = own.transpose(1, 2, 0, 3).reshape(agents, agents, deals * seats)
    without = mine[range(agents), range(agents)]  # (K, n * S)
    at = np.abs(mine - without).argmax(axis=-1)
    x, y = np.indices(at.shape)
    return np.stack([mine[x, y, at], without[y, at], at // seats, at % seats])


def _larger(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The larger of two swings of each pair, the first of equals."""
    return np.where(np.abs(other[0] - other[1]) > np.abs(one[0] - one[1]), other, one)
