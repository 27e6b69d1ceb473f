"""The hands of an event in which most depended on who sat in a seat, played again from their seeds as hand records.

The swing of a seat in a deal is what X scores there among Y's, less what Y scores there with Y in every seat. It is
what that deal adds to the gain of X. The largest swing of each pair counts, hands that were forfeited included, and the
report shows the largest of these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from agents import Agent, tally_of
from buck_env.base.errors import BuckError
from buck_env.environments.tables import Tables
from buck_env.game.rules import Rules
from buck_env.records import HandRecord
from training.measuring.arena import play_hands
from training.measuring.duplicate import rotations
from training.tournament.hand_tally import HandTally
from training.tournament.shards import Event

__all__ = ["Again", "Swing", "largest_swings", "played_again", "tables_again"]

SWINGS = 6
"""The largest number of swings in a report."""


@dataclass(frozen=True)
class Swing:
    """One seat of one deal: X there among Y's, and Y there too."""

    x: int
    y: int
    deal: int
    seat: int
    points: tuple[int, int]
    """What X scored there among Y's, and what Y did with Y in every seat."""
    records: tuple[HandRecord, HandRecord] | None = None
    """These two hands, where the agents played them to the same points again; None where they did not."""
    undrawn: str = "the event was interrupted; --resume goes on with it"
    """Why there are no records."""

    @property
    def size(self) -> int:
        """The difference of the points."""
        return self.points[0] - self.points[1]


def largest_swings(tally: HandTally) -> list[Swing]:
    """The largest swings of the pairs, `SWINGS` at most, the largest first. Among equals the first deal comes first."""
    agents = tally.lineups.agents
    swings = []
    for x in range(agents):
        for y in range(agents):
            mine, without, deal, seat = tally.swings[:, x, y].tolist()
            if mine != without:
                swings.append(Swing(x, y, deal, seat, (mine, without)))
    return sorted(swings, key=lambda swing: (-abs(swing.size), swing.deal, swing.x, swing.y))[:SWINGS]


def played_again(event: Event, agents: Mapping[str, Agent], swings: Sequence[Swing]) -> list[Swing]:
    """The swings with their records. Where an agent fails, is at fault or plays to other points now, there are none.

    An agent that draws its actions by the random numbers it is given draws the same ones again. A program or a class
    with chance or memory of its own may not.
    """
    return [_played_again(event, agents, swing) for swing in swings]


def _played_again(event: Event, agents: Mapping[str, Agent], swing: Swing) -> Swing:
    seats = event.rules.seats
    seating = np.stack([rotations(swing.x, swing.y, seats)[swing.seat], np.full(seats, swing.y)])
    try:
        again = tables_again(event.rules, agents, seating, event.seeds("hands", swing.deal, 1)[0])
    except BuckError as error:
        return replace(swing, undrawn=f"an agent failed when it was asked again: {error}")
    if again.replaced:
        return replace(swing, undrawn="a program was at fault in it, and random actions took the place of its own")
    if tuple(again.points[:, swing.seat].tolist()) != swing.points:
        return replace(swing, undrawn="when the agents were asked again they played to other points")
    return replace(swing, records=(again.records[0], again.records[1]))


class Again(NamedTuple):
    """A deal that has been played again in M seatings."""

    points: np.ndarray
    """(M, S), as `play_hands` gives them."""
    records: list[HandRecord]
    replaced: int
    """The number of decisions in which a random action took the place of a program at fault."""


def tables_again(rules: Rules, agents: Mapping[str, Agent], seatings: np.ndarray, seed: np.uint64) -> Again:
    """Play the deal of a table's seed by these agents in seatings (M, S)."""
    records: list[HandRecord] = []

    def keep(rows: slice, tables: Tables, forfeited: np.ndarray) -> None:
        records.extend(tables.record(row, finished=True) for row in range(tables.num_tables))

    before = _replaced(agents)
    points = play_hands(rules, agents, seatings, np.full(len(seatings), seed), ended=keep)
    return Again(points, records, _replaced(agents) - before)


def _replaced(agents: Mapping[str, Agent]) -> int:
    """The number of decisions of programs so far that others took in their place."""
    return sum(tally_of(agent)["replaced"] for agent in agents.values())
