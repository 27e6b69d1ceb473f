"""The sums of an event's matches, with their lengths."""

from __future__ import annotations

import numpy as np

from training.measuring.estimates import Estimate
from training.tournament.lineups import Lineups
from training.tournament.tally import Tally

__all__ = ["PARTS", "MatchTally"]

PARTS = 12
"""The number of parts in which a match is counted, so that each of any number of winners has a whole number of them."""


class MatchTally(Tally):
    """The tally of matches. A score counts the PARTS of a match, and the lengths of matches are kept too."""

    def __init__(self, lineups: Lineups, seed: int) -> None:
        super().__init__(lineups, np.zeros(0), seed)
        self._sums["lengths"] = np.zeros((2, len(lineups.seatings)))  # hands, and matches cut off, by seating

    def add(self, first: int, scores: np.ndarray, lengths: np.ndarray) -> None:
        """Add deals `first` onward, a block at most: scores (n, M - K, S) of the varied seatings, and lengths
        (n, M - K, 2), the hands of each match and 1 where it was cut off.

        An agent among its like wins its par.
        """
        agents, seats = self.lineups.agents, self.lineups.seats
        par = np.full((len(scores), agents, seats), PARTS // seats)
        block = self._block(first, np.concatenate([scores, par], axis=1), np.zeros((len(scores), 0)))
        block["lengths"] = np.pad(lengths.sum(axis=0).T, ((0, 0), (0, agents)))
        self._take(block)

    def share(self, x: int, others: list[int]) -> Estimate:
        """The share of the match that x won, the mean over each of the others."""
        return self.estimate(self.figures.weights("points", x, others).over(PARTS))

    def length(self, x: int, y: int) -> tuple[float, float]:
        """Deals of a match of x among y's, redeals included, and the share of these matches that were cut off."""
        hands, cut = self._sums["lengths"][:, self.lineups.pairs[x, y]].sum(axis=1)
        played = self.deals * self.lineups.seats
        return float(hands / played), float(cut / played)

    @property
    def played(self) -> tuple[int, int]:
        """The hands played and the matches cut off, in all."""
        hands, cut = self._sums["lengths"].sum(axis=1)
        return int(hands), int(cut)
