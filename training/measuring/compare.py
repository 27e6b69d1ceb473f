"""How much better one agent is than another: its points, its edge and its gain, on duplicate deals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents import Agent
from buck_env.game.rules import Rules
from training.measuring.arena import CHUNK, play_hands
from training.measuring.duplicate import deal_seeds, edge_numerators, gain_numerators, own, rotations
from training.measuring.estimates import Estimate

__all__ = ["Comparison", "compare", "edge", "gain"]


@dataclass(frozen=True)
class Comparison:
    """The measures of X among Y's."""

    points: Estimate
    edge: Estimate
    gain: Estimate

    @property
    def beats(self) -> bool:
        """Whether X beats Y."""
        return self.gain.low > 0


def compare(
    rules: Rules,
    x: Agent,
    y: Agent,
    *,
    deals: int = 20_000,
    seed: int = 0,
    chunk: int = CHUNK,
    names: tuple[str, str] = ("X", "Y"),
) -> Comparison:
    """Compare X in each seat in turn and Y in the others with Y in every seat, on the same deals.

    Errors name the agent by `names`. BuckError or IllegalActionError where an agent fails.
    """
    seats = rules.seats
    lineups = np.concatenate([rotations(0, 1, seats), np.ones((1, seats), np.int64)])
    seeds = np.repeat(deal_seeds(seed, deals), len(lineups))
    points = play_hands(rules, dict(zip(names, (x, y), strict=True)), np.tile(lineups, (deals, 1)), seeds, chunk=chunk)
    points = points.reshape(deals, seats + 1, seats)
    among, without = points[:, :seats], points[:, seats]
    return Comparison(
        Estimate.of(own(among).sum(axis=1), seats),
        Estimate.of(edge_numerators(among), seats * (seats - 1)),
        Estimate.of(gain_numerators(among, without), seats),
    )


def edge(rules: Rules, x: Agent, y: Agent, *, deals: int = 20_000, seed: int = 0) -> Estimate:
    """The mean points of X's seat less the mean of the others', with X in each seat in turn and Y in the others."""
    return compare(rules, x, y, deals=deals, seed=seed).edge


def gain(rules: Rules, x: Agent, y: Agent, *, deals: int = 20_000, seed: int = 0) -> Estimate:
    """The points of X less those that Y scores in that seat of that deal with Y in every seat."""
    return compare(rules, x, y, deals=deals, seed=seed).gain
