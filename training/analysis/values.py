"""Action values over weighted deals, with two halves of the deals so that the best action is not flattered."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from agents.search.look_ahead import Looked
from training.measuring.estimates import quantile

__all__ = ["Judged", "Means", "half_widths", "judge", "means_of"]


class Means(NamedTuple):
    """The weighted means of B decisions."""

    values: np.ndarray
    """(B, A) float64: the mean of each action over the deals."""
    errors: np.ndarray
    """(B, A) float64: its standard error."""


class Judged(NamedTuple):
    """What the actions of B decisions are worth; 0 where an action is not legal."""

    mask: np.ndarray
    """(B, A): not 0 where an action is legal."""
    values: np.ndarray
    """(B, A) float64: the mean of each action over all deals."""
    errors: np.ndarray
    """(B, A) float64: its standard error."""
    best: np.ndarray
    """(B,) int64: the action with the highest value."""
    best_value: np.ndarray
    """(B,) float64: what the best action is worth: each half of the deals values the one that the other half names."""
    behind: np.ndarray
    """(B, A) float64: the value of the best less that of the action, likewise; below 0 where chance has it so."""
    behind_errors: np.ndarray
    """(B, A) float64: its standard error, the same deals counted for both."""
    effective: np.ndarray
    """(B,) float64: how many independent deals all this rests on; 0 where they do not follow the model."""


def means_of(looked: Looked) -> Means:
    """The means of what N deals say.

    The error is that of a ratio of sums, by the delta method. Where the deals are worth fewer independent ones than
    their weights say, because some of them are the same deal, it is wider by as much.
    """
    means = np.einsum("bn,bna->ba", looked.weights, looked.points)
    squares = np.einsum("bn,bna->ba", looked.weights**2, (looked.points - means[:, None]) ** 2)
    by_weights = 1 / (looked.weights**2).sum(axis=1)
    return Means(means, np.sqrt(squares * (by_weights / np.maximum(looked.effective - 1, 1))[:, None]))


def judge(first: Looked, second: Looked, mask: np.ndarray) -> Judged:
    """The values of the actions that a mask (B, A) allows, from two independent halves of the deals.

    The best action of one half is compared with each action in the other half, and the two comparisons are averaged. An
    action that looks best by chance in the half that names it therefore gains nothing in the half that values it.
    """
    allowed = mask != 0
    whole = means_of(_joined(first, second))
    best = np.where(allowed, whole.values, -np.inf).argmax(axis=1)
    rows = np.arange(len(mask))
    worth, lags = [], []
    for naming, valuing in ((first, second), (second, first)):
        named = np.where(allowed, means_of(naming).values, -np.inf).argmax(axis=1)
        worth.append(means_of(valuing).values[rows, named])
        ahead = valuing.points[rows, :, named][:, :, None] - valuing.points
        lags.append(means_of(valuing._replace(points=ahead)))
    behind = (lags[0].values + lags[1].values) / 2
    errors = np.hypot(lags[0].errors, lags[1].errors) / 2
    return Judged(
        mask,
        np.where(allowed, whole.values, 0.0),
        np.where(allowed, whole.errors, 0.0),
        best,
        (worth[0] + worth[1]) / 2,
        np.where(allowed, behind, 0.0),
        np.where(allowed, errors, 0.0),
        first.effective + second.effective,
    )


def _joined(first: Looked, second: Looked) -> Looked:
    """Both halves, each counted by the deals that it is worth; alike where neither is worth any."""
    effective = first.effective + second.effective
    share = np.divide(first.effective, effective, out=np.full(len(effective), 0.5), where=effective > 0)
    weights = [first.weights * share[:, None], second.weights * (1 - share)[:, None]]
    return Looked(np.concatenate([first.points, second.points], axis=1), np.concatenate(weights, axis=1), effective)


def half_widths(errors: np.ndarray, effective: np.ndarray) -> np.ndarray:
    """Half the widths (B, A) of 95% intervals by standard errors (B, A), Student's t for `effective` (B,) deals."""
    points = np.array([quantile(max(1, int(deals) - 1)) for deals in effective])
    return errors * points[:, None]
