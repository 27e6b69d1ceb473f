"""What an event has found so far, as sums over its deals, whose memory does not grow with the number of deals.

All sums but those of the bootstrap are of whole numbers, and exact. Deals are added in their order, block by block, so
that the same deals give the same sums, whoever played them.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from training.measuring.estimates import Estimate
from training.measuring.ratings import Compared, Rating, rate
from training.tournament.figures import Figures, Weights
from training.tournament.lineups import Lineups

__all__ = ["BLOCK", "Tally"]

BLOCK = 50
"""The number of deals that are added at once."""
_FOLDS = 5
"""The number of parts to which deals go in turn. The coefficients of the luck in one part come from the others."""


class Tally:
    """The sums over deals of K agents' scores in their line-ups, and the estimates that follow from them.

    A score is a whole number, points toward the target or parts of a match. Every measure is a weighted sum of a deal's
    figures, and so its mean and its variance follow from the sums of the figures and of their products. The products of
    a block are computed in float64, which is fast and holds whole numbers up to 2**53; their sums are int64, which
    holds the squares of figures up to 960,000 in each of 10 million deals.
    """

    def __init__(self, lineups: Lineups, expected_luck: np.ndarray, seed: int) -> None:
        self.lineups = lineups
        self.figures = Figures(lineups)
        self.seed = seed
        self.expected_luck = expected_luck
        """(C,) float64: the means of the luck's numbers."""
        agents, luck, figures = lineups.agents, len(expected_luck), self.figures.count
        self._compared = Compared(lineups.varied, agents)
        self._sums: dict[str, np.ndarray] = {
            "figures": np.zeros(figures, np.int64),
            "products": np.zeros((figures, figures), np.int64),
            "luck": np.zeros((_FOLDS, 1 + luck, 1 + luck), np.int64),  # of 1 and the luck, with one another
            "crossed": np.zeros((_FOLDS, 1 + luck, figures), np.int64),  # of these with the figures
            "squares": np.zeros((2, agents, agents), np.int64),  # of the first two figures, hand by hand
            "wins": np.zeros(self._compared.shape),
        }

    # --- Adding ---

    def _take(self, block: dict[str, np.ndarray]) -> None:
        """Add a block to all sums at once: an interrupt leaves those of whole blocks."""
        self._sums = {name: self._joined(name, sums, block[name]) for name, sums in self._sums.items()}

    def _joined(self, name: str, sums: np.ndarray, block: np.ndarray) -> np.ndarray:
        """A sum together with that of a block."""
        return sums + block

    def _block(self, first: int, scores: np.ndarray, luck: np.ndarray) -> dict[str, np.ndarray]:
        """The sums of deals `first` onward, a block at most, from scores (n, M, S) and the luck (n, C), all whole."""
        whole, squares = self.figures.of(scores.astype(np.int64))
        figures = whole.astype(np.float64)
        known = np.concatenate([np.ones((len(luck), 1)), luck], axis=1)
        fold = (first + np.arange(len(scores))) % _FOLDS == np.arange(_FOLDS)[:, None]
        parts = (fold[:, :, None] * known).swapaxes(1, 2)  # (folds, 1 + C, n)
        return {
            "figures": whole.sum(axis=0),
            "products": (figures.T @ figures).astype(np.int64),
            "luck": (parts @ known).astype(np.int64),
            "crossed": (parts @ figures).astype(np.int64),
            "squares": squares,
            "wins": self._compared.wins(scores, self.seed, first // BLOCK),
        }

    # --- Estimates ---

    @property
    def deals(self) -> int:
        """The number of deals added."""
        return int(self._sums["luck"][:, 0, 0].sum())

    def estimate(self, weights: Weights) -> Estimate:
        """The mean of a weighted sum of the figures, one cluster a deal."""
        return Estimate.of_sums(self.deals, *self._moments(weights), weights.denominator)

    def _moments(self, weights: Weights) -> tuple[int, int]:
        """The sums of a weighted sum and of its square, before it is divided by the denominator."""
        used = np.flatnonzero(weights.numerators)
        numerators = weights.numerators[used].astype(object)  # Python's integers, which have no limit
        products = self._sums["products"][np.ix_(used, used)]
        return int(self._sums["figures"][used] @ numerators), int(numerators @ products @ numerators)

    def adjusted(self, weights: Weights) -> Estimate:
        """The same mean, less what the luck of the cards explains of each deal, by coefficients from other deals.

        The luck beyond its known mean has the mean 0, and so has its product with anything independent of it.
        Therefore the adjustment moves no mean.
        """
        deals, (total, squares) = self.deals, self._moments(weights)
        shift = np.eye(1 + len(self.expected_luck))
        shift[1:, 0] = -self.expected_luck
        beyond = shift @ self._sums["luck"] @ shift.T  # of 1 and the luck beyond its mean, with one another, by fold
        figure = self._sums["crossed"] @ weights.numerators @ shift.T  # and with the weighted sum of the figures
        explained = less = 0.0
        for fold in range(_FOLDS):
            slopes = _slopes(beyond.sum(axis=0) - beyond[fold], figure.sum(axis=0) - figure[fold])
            explained += float(slopes @ beyond[fold, 0, 1:])
            less += float(slopes @ beyond[fold, 1:, 1:] @ slopes - 2 * slopes @ figure[fold, 1:])
        mean = (total - explained) / max(deals, 1)
        spread = max(squares + less - (total - explained) * mean, 0.0)
        return Estimate.of_moments(deals, mean, spread).over(weights.denominator)

    def variance_ratio(self, measure: Literal["edge", "gain"], x: int, y: int, *, adjusted: bool = False) -> float:
        """The variance of a measure of x among y's for each hand played, as a share of what independent deals give.

        With independent deals an edge takes one hand, and a gain two: X in a seat, and Y in that seat of another deal.
        """
        seats, agents, hands = self.lineups.seats, self.lineups.agents, self.deals * self.lineups.seats
        weights = self.figures.weights(measure, x, [y])
        deviation = (self.adjusted if adjusted else self.estimate)(weights).deviation
        means = self._sums["figures"][: 2 * agents**2].reshape(2, agents, agents) / hands
        single = self._sums["squares"] / hands - means**2  # (2, K, K)
        if measure == "edge":
            apart, played = single[1, x, y] / (seats - 1) ** 2, seats
        else:
            apart, played = 2 * (single[0, x, y] + single[0, y, y]), seats + 1
        return float(played * deviation**2 / apart) if apart else 0.0

    def ratings(self) -> list[Rating]:
        """The rating of each agent, in the order of the agents."""
        return rate(self._compared.matrices(self._sums["wins"]), self._compared.drawn())

    def wins(self) -> np.ndarray:
        """(K, K) float64: [x, y] comparisons of a seat of x with one of y at its table that x won; a tie is half."""
        return self._compared.matrices(self._sums["wins"][0])


def _slopes(products: np.ndarray, with_figure: np.ndarray) -> np.ndarray:
    """Least squares, shape (C,): of the products of 1 and C numbers (1 + C, 1 + C) and those with a figure (1 + C,)."""
    deals = products[0, 0]
    if deals <= 2 * len(products):  # with fewer they would fit anything
        return np.zeros(len(products) - 1)
    means = products[1:, 0] / deals
    return np.linalg.pinv(products[1:, 1:] - deals * np.outer(means, means)) @ (
        with_figure[1:] - means * with_figure[0]
    )
