"""Means with 95% intervals, one cluster a deal, and p-values corrected for many comparisons.

Points are whole numbers, and so are their sums. An estimate of whole numbers is computed from whole numbers and rounded
once, at the end. Agents that play alike therefore differ by exactly 0, on every machine.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

__all__ = ["Estimate", "holm", "quantile"]


@dataclass(frozen=True)
class Estimate:
    """A mean and its 95% interval."""

    mean: float
    low: float
    high: float
    deals: int
    """The number of clusters."""

    @classmethod
    def of(cls, values: np.ndarray, denominator: int = 1) -> Estimate:
        """The estimate of one value a deal, shape (deals,): `values` divided by `denominator`; exact for integers."""
        if values.dtype.kind in "iub":
            whole = values.astype(np.int64)
            return cls.of_sums(len(whole), int(whole.sum()), int(whole @ whole), denominator)
        mean = float(values.sum()) / max(len(values), 1)
        return cls.of_moments(len(values), mean, float(((values - mean) ** 2).sum())).over(denominator)

    @classmethod
    def of_sums(cls, deals: int, total: int, squares: int, denominator: int = 1) -> Estimate:
        """The estimate of one whole number a deal, divided by `denominator`, from their sum and that of their squares.

        Python's integers have no limit, and nothing is rounded before the last division.
        """
        spread = deals * squares - total * total  # the squared differences from the mean, `deals` times
        return cls.of_moments(deals, total / max(deals * denominator, 1), spread / max(deals * denominator**2, 1))

    @classmethod
    def of_moments(cls, deals: int, mean: float, spread: float) -> Estimate:
        """The estimate from a mean and the sum of the squared differences from it. ValueError below 2 deals."""
        if deals < 2:
            raise ValueError(f"an interval needs at least 2 deals, not {deals}")
        half = quantile(deals - 1) * math.sqrt(spread / (deals - 1) / deals)
        return cls(mean, mean - half, mean + half, deals)

    def over(self, denominator: int) -> Estimate:
        """The estimate of every value divided by a number above 0."""
        return Estimate(self.mean / denominator, self.low / denominator, self.high / denominator, self.deals)

    def plus(self, other: Estimate) -> Estimate:
        """The estimate of the sum of two means that were estimated on different deals."""
        mean, half = self.mean + other.mean, math.hypot(self.half, other.half)
        return Estimate(mean, mean - half, mean + half, min(self.deals, other.deals))

    @property
    def deviation(self) -> float:
        """The standard deviation of a deal."""
        return self.half / quantile(self.deals - 1) * math.sqrt(self.deals)

    @property
    def half(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def p(self) -> float:
        """The two-sided p-value of a mean of 0, by Student's t."""
        if self.half == 0:
            return float(self.mean == 0)
        return float(2 * stdtr(self.deals - 1, -abs(self.mean) / self.half * quantile(self.deals - 1)))

    @property
    def unsigned(self) -> str:
        """The estimate of a share, without a plus sign."""
        return f"{self.mean:.2f} [{self.low:.2f}, {self.high:.2f}]"

    def __str__(self) -> str:
        return self.rounded(2)

    def rounded(self, digits: int) -> str:
        """The estimate as text, with so many digits after the point."""
        mean, low, high = (round(bound, digits) + 0.0 for bound in (self.mean, self.low, self.high))  # no "-0.00"
        return f"{mean:+.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def quantile(degrees: int) -> float:
    """The 97.5% point of Student's t."""
    return float(stdtrit(degrees, 0.975))


def holm(p: np.ndarray) -> np.ndarray:
    """P-values (m,) corrected by Holm for being m: valid however they depend on one another, as with shared deals."""
    order = np.argsort(p)
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(stepped, 1.0)
    return corrected
