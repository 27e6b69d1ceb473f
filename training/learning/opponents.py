"""The opponent pool: named agents and earlier selves, and who of them sits at which table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

__all__ = ["LEARNER", "OpponentPool"]

LEARNER = 0
"""Who sits at a seat, as a number: the learner, or 1 + an opponent's place in the pool."""

_MEMORY = 0.99  # of the running mean of what an episode against an opponent brought


class OpponentPool:
    """A share of N tables of S seats at which the learner sits alone, each episode against an opponent drawn anew.

    `sitting` (N, S) says who sits where. At the other tables the learner has every seat. An earlier self enters by
    `remember`; of those only the latest `snapshots` stay, the oldest gives way.
    """

    def __init__(
        self,
        tables: int,
        seats: int,
        *,
        names: Sequence[str],
        snapshots: int,
        share: float,
        sampling: Literal["uniform", "hard"],
        seed: int,
    ) -> None:
        self.names = list(names)
        self.snapshots = snapshots
        self.sampling = sampling
        self.weights: list[dict[str, np.ndarray]] = []
        """The networks of the earlier selves, in the places behind the names."""
        self.remembered = 0
        self.edges = np.zeros(len(self.names) + snapshots)
        """The running mean of the learner's points, or wins, less the mean of the others', by opponent."""
        self.sitting = np.full((tables, seats), LEARNER)
        self.shared = np.arange(tables) < round(share * tables)
        self._rng = np.random.default_rng([seed, 1])

    @property
    def size(self) -> int:
        """How many opponents there are by now."""
        return len(self.names) + len(self.weights)

    def remember(self, weights: dict[str, np.ndarray]) -> None:
        """Let the learner as it is now join the pool."""
        if len(self.weights) < self.snapshots:
            self.weights.append(weights)
        else:
            self.weights[self.remembered % self.snapshots] = weights
        place = len(self.names) + self.remembered % self.snapshots
        self.edges[place] = 0.0
        self.remembered += 1

    def chances(self) -> np.ndarray:
        """The probability of each opponent, (size,): even, or by how hard it is to beat, exp(-edge) in proportion."""
        edges = self.edges[: self.size]
        odds = np.exp(edges.min() - edges) if self.sampling == "hard" else np.ones(self.size)
        chances: np.ndarray = odds / odds.sum()
        return chances

    def seat(self, ended: np.ndarray, earned: np.ndarray | None = None) -> None:
        """Seat everybody anew at the tables (N,) whose episode ended; `earned` (N, S) is what it brought."""
        rows = np.flatnonzero(ended & self.shared)
        if not len(rows) or not self.size:
            return
        if earned is not None:
            self._update_edges(rows, earned)
        seats = self.sitting.shape[1]
        opponents = self._rng.choice(self.size, len(rows), p=self.chances())
        self.sitting[rows] = 1 + opponents[:, None]
        self.sitting[rows, self._rng.integers(seats, size=len(rows))] = LEARNER

    def _update_edges(self, rows: np.ndarray, earned: np.ndarray) -> None:
        seats = self.sitting.shape[1]
        sitting = self.sitting[rows]
        own = sitting == LEARNER
        edges = (seats * (earned[rows] * own).sum(axis=1) - earned[rows].sum(axis=1)) / (seats - 1)
        opponents = sitting.max(axis=1) - 1
        for opponent in np.unique(opponents[opponents >= 0]):
            met = edges[opponents == opponent]
            kept = _MEMORY ** len(met)
            self.edges[opponent] = kept * self.edges[opponent] + (1 - kept) * met.mean()

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Arrays and facts that `restore` takes."""
        arrays = {"sitting": self.sitting, "edges": self.edges}
        for i, weights in enumerate(self.weights):
            arrays |= {f"snapshot_{i}.{name}": array for name, array in weights.items()}
        return arrays, {"remembered": self.remembered, "rng": self._rng.bit_generator.state}

    def restore(self, arrays: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` gave."""
        self.sitting[:] = arrays["sitting"]
        self.edges[:] = arrays["edges"]
        self.remembered = facts["remembered"]
        self._rng.bit_generator.state = facts["rng"]
        self.weights = []
        for i in range(min(self.remembered, self.snapshots)):
            mark = f"snapshot_{i}."
            self.weights.append({key[len(mark) :]: arrays[key] for key in arrays if key.startswith(mark)})
