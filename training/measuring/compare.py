"""How much better one agent is than another: its points, its edge, its gain and its lead, on duplicate deals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from agents import Agent
from buck_env.game.rules import Rules
from training.measuring.arena import CHUNK, play_hands
from training.measuring.duplicate import deal_seeds, edge_numerators, gain_numerators, own, rotations
from training.measuring.estimates import Estimate

__all__ = ["Comparison", "compare", "edge", "gain", "lead", "points_by_deal"]

_AT_ONCE = 100
"""Deals between two looks at how far a lead has got: slow agents take minutes for many."""


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
    stream: int = 0,
    chunk: int = CHUNK,
    names: tuple[str, str] = ("X", "Y"),
) -> Comparison:
    """Compare X in each seat in turn and Y in the others with Y in every seat, on the same deals.

    Streams of one seed have different deals. Errors name the agent by `names`. BuckError or IllegalActionError where an
    agent fails.
    """
    seats = rules.seats
    among, without = points_by_deal(rules, x, y, deals=deals, seed=seed, stream=stream, chunk=chunk, names=names)
    return Comparison(
        Estimate.of(own(among).sum(axis=1), seats),
        Estimate.of(edge_numerators(among), seats * (seats - 1)),
        Estimate.of(gain_numerators(among, without), seats),
    )


def points_by_deal(
    rules: Rules, x: Agent, y: Agent, *, deals: int, seed: int, stream: int = 0, chunk: int = CHUNK,
    names: tuple[str, str] = ("X", "Y"),
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """The points of all seats with X in each seat in turn among Ys, (deals, S, S), and with Y in every seat,
    (deals, S). Errors are those of `compare`."""
    seats = rules.seats
    lineups = np.concatenate([rotations(0, 1, seats), np.ones((1, seats), np.int64)])
    seeds = np.repeat(deal_seeds(seed, deals, stream), len(lineups))
    points = play_hands(rules, dict(zip(names, (x, y), strict=True)), np.tile(lineups, (deals, 1)), seeds, chunk=chunk)
    points = points.reshape(deals, seats + 1, seats)
    return points[:, :seats], points[:, seats]


def edge(rules: Rules, x: Agent, y: Agent, *, deals: int = 20_000, seed: int = 0) -> Estimate:
    """The mean points of X's seat less the mean of the others', with X in each seat in turn and Y in the others."""
    return compare(rules, x, y, deals=deals, seed=seed).edge


def gain(rules: Rules, x: Agent, y: Agent, *, deals: int = 20_000, seed: int = 0, stream: int = 0) -> Estimate:
    """The points of X less those that Y scores in that seat of that deal with Y in every seat."""
    return compare(rules, x, y, deals=deals, seed=seed, stream=stream).gain


def lead(
    rules: Rules, x: Agent, z: Agent, y: Agent, *, deals: int = 20_000, seed: int = 0, stream: int = 0
) -> Estimate:  # fmt: skip
    """The points of X among Y's less those that Z scores in that seat of that deal among Y's.

    It is gain(X, Y) less gain(Z, Y), with a narrow interval where X and Z play alike.
    """
    seats = rules.seats
    lineups = np.concatenate([rotations(0, 2, seats), rotations(1, 2, seats)])
    agents = {"X": x, "Z": z, "Y": y}
    more = np.empty(deals, np.int64)
    for first in tqdm(range(0, deals, _AT_ONCE), unit_scale=_AT_ONCE, unit="deal", disable=None, leave=False):
        rows = slice(first, min(first + _AT_ONCE, deals))
        seeds = deal_seeds(seed, rows.stop - first, stream, first=first)
        seating = np.tile(lineups, (len(seeds), 1))
        points = play_hands(rules, agents, seating, np.repeat(seeds, len(lineups))).reshape(-1, 2, seats, seats)
        mine = own(points).sum(axis=-1)
        more[rows] = mine[:, 0] - mine[:, 1]
    return Estimate.of(more, seats)
