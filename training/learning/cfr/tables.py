"""The tables of regret minimisation: regrets and strategies, a row an information set."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

__all__ = ["RegretTables", "match_regrets", "normalised"]


class RegretTables:
    """Sums by information set, in rows that are added in the order in which information sets are first met."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._rows: dict[int, int] = {}
        self._regrets = np.zeros((1024, width))
        self._strategies = np.zeros((1024, width))
        self._counts = np.zeros(1024, np.int64)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def keys(self) -> np.ndarray:
        """(R,) int64: the information set of each row."""
        return np.fromiter(self._rows, np.int64, len(self))

    @property
    def counts(self) -> np.ndarray:
        """(R,) int64: its options."""
        return self._counts[: len(self)]

    @property
    def regrets(self) -> np.ndarray:
        """(R, W) float64: what each option would have brought above what was done, summed over iterations."""
        return self._regrets[: len(self)]

    @property
    def strategies(self) -> np.ndarray:
        """(R, W) float64: the strategies of all iterations, summed."""
        return self._strategies[: len(self)]

    def find(self, keys: np.ndarray, counts: np.ndarray) -> np.ndarray:
        """The rows (N,) of information sets (N,) with so many options (N,); a new information set gets a new row."""
        known, before = self._rows, len(self)
        rows = np.array([known.setdefault(key, len(known)) for key in keys.tolist()], np.int64)
        while len(known) > len(self._counts):
            self._regrets = np.concatenate([self._regrets, np.zeros_like(self._regrets)])
            self._strategies = np.concatenate([self._strategies, np.zeros_like(self._strategies)])
            self._counts = np.concatenate([self._counts, np.zeros_like(self._counts)])
        new = rows >= before
        self._counts[rows[new]] = counts[new]
        return rows

    def average(self) -> np.ndarray:
        """(R, W) float64: the average strategy of each row."""
        return normalised(self.strategies, self.counts)

    def save(self) -> dict[str, np.ndarray]:
        """All of it as arrays."""
        return {"keys": self.keys, "counts": self.counts, "regrets": self.regrets, "strategies": self.strategies}

    def restore(self, state: Mapping[str, np.ndarray]) -> None:
        """Go back to what `save` returned. LookupError or ValueError where it is damaged."""
        keys, counts, sums = state["keys"], state["counts"], (state["regrets"], state["strategies"])
        self._rows = {key: row for row, key in enumerate(keys.tolist())}
        if len(self) != len(keys) or len(keys) != len(counts) or any(a.shape != (len(keys), self._width) for a in sums):
            raise ValueError("the tables are not whole")
        room = np.zeros((1, self._width))
        self._regrets, self._strategies = (np.concatenate([array, room]) for array in sums)
        self._counts = np.append(counts, 0)


def match_regrets(regrets: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Strategies (N, W) that take each option in proportion to its regret (N, W) above 0; evenly where none is."""
    return normalised(np.maximum(regrets, 0.0), counts)


def normalised(weights: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Probabilities (N, W) in proportion to weights (N, W); where all are 0, evenly over the options (N,)."""
    totals = weights.sum(axis=1, keepdims=True)
    evenly = (np.arange(weights.shape[1]) < counts[:, None]) / counts[:, None]
    return np.where(totals > 0, weights / np.where(totals > 0, totals, 1.0), evenly)
