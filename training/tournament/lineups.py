"""Who sits where in an event: every pair as one against the rest, mixed line-ups, and each agent among its like.

A line-up is a circle of seats. Each deal is played in all its rotations, so that every agent in it gets every hand.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from training.measuring.duplicate import rotations

__all__ = ["Lineups", "make_lineups"]

Circle = tuple[int, ...]


@dataclass(frozen=True)
class Lineups:
    """The seatings of K agents in which each deal is played, M in all. The last K are those of one agent alone."""

    seatings: np.ndarray
    """(M, S) int64: the agent in each seat; no two rows are equal."""
    pairs: np.ndarray
    """(K, K, S) int64: the row of x in seat r and y in the others."""
    mixed: np.ndarray
    """(N, S) int64: the rows of the rotations of each mixed line-up; a line-up that repeats itself repeats its rows."""

    @property
    def agents(self) -> int:
        """K."""
        return len(self.pairs)

    @property
    def seats(self) -> int:
        """S."""
        return self.seatings.shape[1]

    @cached_property
    def varied(self) -> np.ndarray:
        """The seatings of more than one agent, shape (M - K, S): those in which a match can be won by one agent or
        another."""
        return self.seatings[: -self.agents]


def make_lineups(agents: int, seats: int, mixed: int | Literal["all"], seed: int) -> Lineups:
    """The line-ups of an event. `mixed` is the number of rounds of mixed line-ups, or "all".

    In a round each agent takes each part once: it is a mixed line-up, and those that follow when every agent's part
    goes to the next agent. Rounds are drawn by the seed, those of the most different agents first.
    """
    grid = np.array([[rotations(x, y, seats) for y in range(agents)] for x in range(agents)])
    rounds = _rounds(agents, seats)
    order = np.random.default_rng([seed, agents, seats]).permutation(len(rounds))
    drawn = sorted((rounds[i] for i in order), key=lambda round_: -len(set(round_)))
    circles = [circle for first in drawn[: None if mixed == "all" else mixed] for circle in _developed(first, agents)]
    turned = np.array([_turns(circle) for circle in circles], np.int64).reshape(len(circles), seats, seats)
    every = np.concatenate([grid.reshape(-1, seats), turned.reshape(-1, seats)])
    distinct, place = np.unique(every, axis=0, return_inverse=True)
    alike = (distinct == distinct[:, :1]).all(axis=1)
    order = np.argsort(alike, kind="stable")
    place = np.argsort(order)[place.reshape(-1)]
    split = agents * agents * seats
    return Lineups(distinct[order], place[:split].reshape(agents, agents, seats), place[split:].reshape(-1, seats))


def _turns(circle: Circle) -> list[Circle]:
    return [circle[r:] + circle[:r] for r in range(len(circle))]


def _rounds(agents: int, seats: int) -> list[Circle]:
    """The first line-up of every round of mixed ones, with agent 0: neither all alike nor one against the rest."""
    found = dict.fromkeys(
        min(tuple((agent - turn[0]) % agents for agent in turn) for turn in _turns((0, *rest)))
        for rest in itertools.product(range(agents), repeat=seats - 1)
    )
    return [circle for circle in found if max(circle.count(agent) for agent in circle) < seats - 1]


def _developed(first: Circle, agents: int) -> list[Circle]:
    """The line-ups of a round, of its first one."""
    moved = (tuple((agent + step) % agents for agent in first) for step in range(agents))
    return list(dict.fromkeys(min(_turns(circle)) for circle in moved))
