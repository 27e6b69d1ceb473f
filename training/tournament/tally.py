"""What an event has found so far, as sums over its deals: the memory they take does not grow with the deals.

All but the bootstrap's are sums of whole numbers, and exact. Deals are added in their order, block by block, so that
the same deals give the same sums, whoever played them.
"""

from __future__ import annotations

from functools import cached_property
from typing import Literal

import numpy as np

from training.measuring.behaviour import BEHAVIOUR
from training.measuring.measures import Estimate
from training.measuring.ratings import Compared, Rating, rate
from training.tournament.lineups import Lineups

__all__ = ["BLOCK", "HandTally", "MatchTally", "Measure", "Tally"]

BLOCK = 50
"""Deals that are added at once."""
_FOLDS = 5
"""Parts of the deals, by turns; the coefficients of the luck in one come from the others."""

Measure = Literal["points", "edge", "gain"]


class Tally:
    """The sums over deals of K agents' scores in their line-ups, and the estimates that follow from them.

    A score is a whole number, points toward the target or parts of a match. Each deal gives F figures: for each ordered
    pair the scores of x among y's; the same S-fold less everyone's; for each agent, S-fold less everyone's, in mixed
    line-ups. Every measure is a weighted sum of the figures, and so are its mean and its variance of their moments.
    """

    def __init__(self, lineups: Lineups, expected_luck: np.ndarray, seed: int) -> None:
        self.lineups = lineups
        self.seed = seed
        self.expected_luck = expected_luck
        """(C,) float64: the means of the luck's numbers."""
        agents, luck = lineups.agents, len(expected_luck)
        figures = 2 * agents * agents + agents
        self._compared = Compared(lineups)
        self._sums: dict[str, np.ndarray] = {
            "figures": np.zeros(figures),
            "products": np.zeros((figures, figures)),
            "luck": np.zeros((_FOLDS, 1 + luck, 1 + luck)),  # of 1 and the luck, with one another
            "crossed": np.zeros((_FOLDS, 1 + luck, figures)),  # of these with the figures
            "squares": np.zeros((2, agents, agents)),  # of the first two figures, hand by hand
            "wins": np.zeros(self._compared.shape),
        }

    # --- Adding ---

    def _take(self, block: dict[str, np.ndarray]) -> None:
        """Add a block to all sums at once: an interrupt leaves those of whole blocks."""
        self._sums = {
            name: _larger(sums, block[name]) if name == "swings" else sums + block[name]
            for name, sums in self._sums.items()
        }

    def _block(self, first: int, scores: np.ndarray, luck: np.ndarray) -> dict[str, np.ndarray]:
        """What deals `first` onward, a block at most, add: of scores (n, M, S) and the luck (n, C), all whole."""
        figures, squares = self._figures(scores.astype(np.int64))
        known = np.concatenate([np.ones((len(luck), 1)), luck], axis=1)
        fold = (first + np.arange(len(scores))) % _FOLDS == np.arange(_FOLDS)[:, None]
        parts = fold[:, :, None] * known  # (folds, n, 1 + C)
        return {
            "figures": figures.sum(axis=0),
            "products": figures.T @ figures,
            "luck": parts.swapaxes(1, 2) @ known,
            "crossed": parts.swapaxes(1, 2) @ figures,
            "squares": squares,
            "wins": self._compared.wins(scores, self.seed, first // BLOCK),
        }

    def _figures(self, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of n deals the figures (n, F) float64, and the squares of single hands (2, K, K)."""
        n, seats, pairs = len(scores), self.lineups.seats, self.lineups.pairs
        beyond = seats * scores - scores.sum(axis=2, keepdims=True)  # (n, M, S)
        own = scores[:, pairs, np.arange(seats)]  # (n, K, K, S): x's in seat r
        own_beyond = beyond[:, pairs, np.arange(seats)]
        mixed = beyond[:, self.lineups.mixed].reshape(n, -1) @ self._sitting
        figures = np.concatenate([own.sum(axis=3).reshape(n, -1), own_beyond.sum(axis=3).reshape(n, -1), mixed], axis=1)
        squares = np.stack([(own**2).sum(axis=(0, 3)), (own_beyond**2).sum(axis=(0, 3))])
        return figures.astype(np.float64), squares

    @cached_property
    def _sitting(self) -> np.ndarray:
        """Who sits in each seat of each rotation of each mixed line-up, shape (N * S * S, K), 1 or 0."""
        seated = self.lineups.seatings[self.lineups.mixed].reshape(-1, 1)
        return (seated == np.arange(self.lineups.agents)).astype(np.int64)

    # --- Estimates ---

    @property
    def deals(self) -> int:
        """Deals added."""
        return int(self._sums["luck"][:, 0, 0].sum())

    def weights(self, measure: Measure, x: int, others: list[int]) -> np.ndarray:
        """The weights (F,) of the mean of a measure of x among each of the others."""
        agents, seats = self.lineups.agents, self.lineups.seats
        weights = np.zeros(len(self._sums["figures"]))
        for y in others:
            if measure == "edge":
                weights[agents**2 + x * agents + y] = 1 / (seats * (seats - 1) * len(others))
            else:
                weights[x * agents + y] += 1 / (seats * len(others))
                if measure == "gain":
                    weights[y * agents + y] -= 1 / (seats * len(others))
        return weights

    def mixed_weights(self, x: int) -> np.ndarray:
        """The weights (F,) of x's points less the mean of the others' at its table, in mixed line-ups."""
        sitting = self._sitting[:, x].sum()
        weights = np.zeros(len(self._sums["figures"]))
        weights[2 * self.lineups.agents**2 + x] = 1 / (max(sitting, 1) * (self.lineups.seats - 1))
        return weights

    def estimate(self, weights: np.ndarray) -> Estimate:
        """The mean of a weighted sum of the figures, one cluster a deal."""
        return Estimate.of_sums(self.deals, float(self._sums["figures"] @ weights), self._squared(weights))

    def adjusted(self, weights: np.ndarray) -> Estimate:
        """The same, less what the luck of the cards explains of each deal, by coefficients from other deals.

        The luck beyond its known mean has the mean 0, times whatever is independent of it also: nothing is moved.
        """
        total, squares = float(self._sums["figures"] @ weights), self._squared(weights)
        shift = np.eye(1 + len(self.expected_luck))
        shift[1:, 0] = -self.expected_luck
        beyond = shift @ self._sums["luck"] @ shift.T  # of 1 and the luck beyond its mean, with one another, by fold
        figure = self._sums["crossed"] @ weights @ shift.T  # and with the weighted sum of the figures
        for fold in range(_FOLDS):
            slopes = _slopes(beyond.sum(axis=0) - beyond[fold], figure.sum(axis=0) - figure[fold])
            total -= float(slopes @ beyond[fold, 0, 1:])
            squares += float(slopes @ beyond[fold, 1:, 1:] @ slopes - 2 * slopes @ figure[fold, 1:])
        return Estimate.of_sums(self.deals, total, squares)

    def _squared(self, weights: np.ndarray) -> float:
        used = np.flatnonzero(weights)
        return float(weights[used] @ self._sums["products"][np.ix_(used, used)] @ weights[used])

    def variance_ratio(self, measure: Literal["edge", "gain"], x: int, y: int, *, adjusted: bool = False) -> float:
        """The variance of a measure of x among y's for each hand played, as a share of what independent deals give.

        There an edge is that of one hand, and a gain that of two: X in a seat, and Y in that seat of another deal.
        """
        seats, agents, hands = self.lineups.seats, self.lineups.agents, self.deals * self.lineups.seats
        weights = self.weights(measure, x, [y])
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
        return rate(self._compared.matrices(self._sums["wins"]))

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


class HandTally(Tally):
    """The tally of single hands: what the agents did in them and the largest swings are kept too."""

    def __init__(self, lineups: Lineups, expected_luck: np.ndarray, seed: int) -> None:
        super().__init__(lineups, expected_luck, seed)
        agents = lineups.agents
        self._sums["behaviour"] = np.zeros((agents, lineups.seats, len(BEHAVIOUR)), np.int64)
        self._sums["swings"] = np.zeros((4, agents, agents), np.int64)

    def add(self, first: int, scores: np.ndarray, luck: np.ndarray, behaviour: np.ndarray) -> None:
        """Add deals `first` onward, a block at most: scores (n, M, S), the luck (n, C), and what the agents did in all
        of them (K, S, B)."""
        block = self._block(first, scores, luck)
        block["behaviour"] = behaviour
        block["swings"] = _swings(scores[:, self.lineups.pairs, np.arange(self.lineups.seats)].astype(np.int64))
        block["swings"][2] += first
        self._take(block)

    @property
    def behaviour(self) -> np.ndarray:
        """(K, S, B) int64: what each agent did, by its seat from the dealer, as `training.measuring.behaviour` counts it."""
        return self._sums["behaviour"]

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


class MatchTally(Tally):
    """The tally of matches: a score is a twelfth of a match, and the lengths of matches are kept."""

    def __init__(self, lineups: Lineups, seed: int) -> None:
        super().__init__(lineups, np.zeros(0), seed)
        self._sums["lengths"] = np.zeros((2, len(lineups.seatings)))  # hands, and matches cut off, by seating

    def add(self, first: int, scores: np.ndarray, lengths: np.ndarray) -> None:
        """Add as above: scores (n, M - K, S) of the varied seatings, and (n, M - K, 2) their hands and cut off.

        An agent among its like wins what is par.
        """
        agents, seats = self.lineups.agents, self.lineups.seats
        par = np.full((len(scores), agents, seats), 12 // seats)
        block = self._block(first, np.concatenate([scores, par], axis=1), np.zeros((len(scores), 0)))
        block["lengths"] = np.pad(lengths.sum(axis=0).T, ((0, 0), (0, agents)))
        self._take(block)

    def share(self, x: int, others: list[int]) -> Estimate:
        """The share of the match that x won, the mean over each of the others."""
        return self.estimate(self.weights("points", x, others) / 12)

    def length(self, x: int, y: int) -> tuple[float, float]:
        """Deals of a match of x among y's, redeals included, and the share of these matches that were cut off."""
        hands, cut = self._sums["lengths"][:, self.lineups.pairs[x, y]].sum(axis=1)
        played = self.deals * self.lineups.seats
        return float(hands / played), float(cut / played)

    @property
    def played(self) -> tuple[int, int]:
        """Hands played and matches cut off in all."""
        hands, cut = self._sums["lengths"].sum(axis=1)
        return int(hands), int(cut)
