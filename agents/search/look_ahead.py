"""An agent that looks ahead: it values every legal action over deals that it cannot rule out, and takes the best."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection
from typing import Final, NamedTuple

import numpy as np

from agents.beliefs.deals import draw_deals
from agents.search.budget import Budget
from agents.search.playouts import Playouts
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.observation.agent import Agent, is_repeatable
from buck_env.observation.views import Views

__all__ = ["LookAhead", "Looked", "look"]

ROUND: Final = 32
"""Deals between two looks at the clock."""
MOST_TABLES: Final = 20_000
"""Tables that are played on at once."""
POOR: Final = 0.25
"""Deals that are worth less than this share of their number are poor."""


class Looked(NamedTuple):
    """What N deals say of B decisions."""

    points: np.ndarray
    """(B, N, A) float32: the points toward the target after each legal action in each deal; 0 elsewhere."""
    weights: np.ndarray
    """(B, N) float64: how likely each deal is; rows sum to 1."""
    effective: np.ndarray
    """(B,) float64: the effective number of deals, N where all are as likely."""


def look(views: Views, number: int, playouts: Playouts, model: Agent | None = None, stream: int = 0) -> Looked:
    """Draw deals that fit what the seats know, and play each on from every legal action.

    `model` is how the others are believed to decide: deals are weighted by how likely it was to do what they did.
    Without one all deals are as likely. Streams of one decision are independent of one another.
    """
    points = np.empty((len(views), number, NUM_ACTIONS), np.float32)
    weights = np.empty((len(views), number))
    effective = np.empty(len(views))
    at_once = max(1, MOST_TABLES // number)
    for first in range(0, len(views), at_once):
        rows = np.arange(first, min(first + at_once, len(views)))
        deals = draw_deals(views.take(rows), number, model=model, stream=stream)
        points[rows] = playouts.action_points(deals.tables.reshape(-1)).reshape(-1, number, NUM_ACTIONS)
        weights[rows], effective[rows] = deals.weights, deals.effective
    return Looked(points, weights, effective)


class LookAhead:
    """Searches the decisions of some phases, all by default.

    With a `prior`, whoever decides where nothing is searched, another action than the prior's is taken only where it is
    better by more than `doubt` standard errors of the difference. Without one the best is taken.
    """

    def __init__(
        self,
        rules: Rules,
        budget: Budget,
        playouts: Playouts,
        *,
        model: Agent | None = None,
        prior: Agent | None = None,
        phases: Collection[str] = (),
        doubt: float = 1.0,
    ) -> None:
        self.rules = rules
        self.budget = budget
        self.repeatable = budget.repeatable and all(is_repeatable(agent) for agent in (model, prior) if agent)
        """Whether the same decision gets the same answer again."""
        self._playouts = playouts
        self._model = model
        self._prior = prior
        self._searched = np.array([not phases or phase in phases for phase in PHASES])
        self._doubt = doubt
        self.counts: Counter[str] = Counter()
        """The decisions `searched` so far, and those with `poor` deals, worth less than a quarter of their number."""

    def act(self, views: Views) -> np.ndarray:
        """Legal actions (B,) of B views."""
        mask = views.action_mask
        actions = mask.argmax(axis=1) if self._prior is None else self._prior.act(views)
        rows = np.flatnonzero((mask.sum(axis=1) > 1) & self._searched[views.tables["phase"]])
        if self.budget.deals:
            if len(rows):
                looked = look(views.take(rows), self.budget.deals, self._playouts, self._model)
                actions[rows] = self._best(looked, mask[rows], actions[rows])
        else:
            for row in rows:
                looked = self._look_in_time(views.take(np.array([row])))
                actions[row] = self._best(looked, mask[[row]], actions[[row]])[0]
        return actions

    def _look_in_time(self, view: Views) -> Looked:
        """As many rounds as the time of a decision allows, at least one; one view."""
        assert self.budget.milliseconds is not None
        ends = time.perf_counter() + self.budget.milliseconds / 1000
        rounds = [look(view, ROUND, self._playouts, self._model)]
        while time.perf_counter() < ends:
            rounds.append(look(view, ROUND, self._playouts, self._model, stream=len(rounds)))
        return Looked(
            np.concatenate([one.points for one in rounds], axis=1),
            np.concatenate([one.weights for one in rounds], axis=1) / len(rounds),
            np.sum([one.effective for one in rounds], axis=0),
        )

    def _best(self, looked: Looked, mask: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
        """The actions (B,) to take, of masks (B, A) and the actions (B,) that hold where the deals do not say more."""
        poor = looked.effective < POOR * looked.weights.shape[1]
        self.counts.update(searched=len(poor), poor=int(poor.sum()))
        mean = np.einsum("bn,bna->ba", looked.weights, looked.points)
        best = np.where(mask != 0, mean, -np.inf).argmax(axis=1)
        if self._prior is None:
            return best
        rows = np.arange(len(best))
        more = looked.points[rows, :, best] - looked.points[rows, :, otherwise]
        mean_more = (looked.weights * more).sum(axis=1)
        variance = (looked.weights * (more - mean_more[:, None]) ** 2).sum(axis=1)
        error = np.sqrt(variance / np.maximum(looked.effective - 1, 1))
        return np.where((mean_more > self._doubt * error) & (looked.effective > 1), best, otherwise)
