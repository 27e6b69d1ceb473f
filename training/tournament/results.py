"""The results of an event: each agent's standing, the pairs, the leads, and which agent beats which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from training.measuring.estimates import Estimate, holm
from training.measuring.ratings import Rating
from training.tournament.config import TournamentConfig
from training.tournament.figures import Quantity
from training.tournament.hand_tally import HandTally
from training.tournament.lineups import Lineups
from training.tournament.match_tally import MatchTally
from training.tournament.measures import RANKING, measured
from training.tournament.swings import Swing

__all__ = ["Results", "Standing"]


@dataclass(frozen=True)
class Standing:
    """One agent, over all its opponents."""

    agent: int
    measures: Mapping[str, Estimate | None]
    """For the key of each of `MEASURES` the mean over the opponents; None where the event has nothing to count."""
    rating: Rating
    beats: tuple[int, ...]

    @property
    def ranked_by(self) -> Estimate:
        """The estimate by which agents are ranked: the edge."""
        estimate = self.measures[RANKING[0].key]
        assert estimate is not None
        return estimate


@dataclass(frozen=True)
class Results:
    """An event of K agents, as far as it was played."""

    config: TournamentConfig
    lineups: Lineups
    hands: HandTally
    matches: MatchTally | None
    checksums: dict[str, Any]
    """For each label the sha256 of the bot's file; None where it has none."""
    unrepeatable: list[str]
    """The labels of agents that decide by a clock: another run of the same event has other figures."""
    code_changed: list[str]
    """The labels of programs and classes whose code has changed since hands of the event were kept."""
    program_counts: Mapping[str, Mapping[str, int]]
    """For each label the decisions and faults of its programs, for agents that ask any; `agents.programs.faults` lists
    the kinds. They are those of whole shards, also where fewer `deals` ended the event within one."""
    seconds: float
    """The wall time of the playing."""
    played: int
    """The hands played in these seconds, those of matches included."""
    complete: bool
    """Whether every deal was played. False where the event was interrupted and holds the deals until then."""
    narrowing: list[tuple[int, list[float]]]
    """From few deals to all: the number of deals, and half the interval of each agent's edge after them."""
    swings: list[Swing]
    """The hands in which most depended on who sat in a seat, the largest swing first."""

    @property
    def labels(self) -> list[str]:
        """The agents, in the order of every K."""
        return list(self.config.agents)

    @property
    def deals(self) -> int:
        """The number of deals played."""
        return self.hands.deals

    @property
    def match_deals(self) -> int:
        """The number of match deals played."""
        return self.matches.deals if self.matches else 0

    @property
    def hands_played(self) -> int:
        """The number of all hands, those of matches and those that were kept included."""
        return self.deals * len(self.lineups.seatings) + (self.matches.played[0] if self.matches else 0)

    def pair(self, quantity: Quantity, x: int, y: int) -> Estimate:
        """The points, edge or gain of x among y's."""
        return self.hands.estimate(self.hands.figures.weights(quantity, x, [y]))

    def pair_measures(self, x: int, y: int) -> dict[str, Estimate | None]:
        """Every measure of x among y's that pairs have, by its key."""
        return measured(self.hands, self.matches, x, [y], pair=True)

    def beats(self, x: int, y: int) -> bool:
        """Whether the lower end of x's gain among y's is above 0."""
        return self.pair("gain", x, y).low > 0

    @cached_property
    def clear(self) -> np.ndarray:
        """(K, K) bool: whether x beats y also after Holm's correction for all pairs."""
        apart = ~np.eye(len(self.labels), dtype=np.bool_)
        gains = [self.pair("gain", x, y) for x, y in np.argwhere(apart)]
        clear = np.zeros(apart.shape, np.bool_)
        clear[apart] = (holm(np.array([gain.p for gain in gains])) < 0.05) & [gain.mean > 0 for gain in gains]
        return clear

    def others(self, x: int) -> list[int]:
        """All agents but x."""
        return [y for y in range(len(self.labels)) if y != x]

    @cached_property
    def standings(self) -> list[Standing]:
        """Each agent's means over its opponents, in the order of the agents."""
        ratings = self.hands.ratings()
        return [self._standing(x, rating) for x, rating in enumerate(ratings)]

    def _standing(self, x: int, rating: Rating) -> Standing:
        others = self.others(x)
        beats = tuple(y for y in others if self.beats(x, y))
        return Standing(x, measured(self.hands, self.matches, x, others), rating, beats)

    def ranking(self) -> list[Standing]:
        """All agents by their mean edge, the best first; equals in the order of the config."""
        return sorted(self.standings, key=lambda standing: -standing.ranked_by.mean)

    def lead(self, x: int, y: int) -> Estimate:
        """The mean edge of x over its opponents less that of y over its own, deal by deal."""
        of_x, of_y = (self.hands.figures.weights("edge", agent, self.others(agent)) for agent in (x, y))
        return self.hands.estimate(of_x - of_y)

    @cached_property
    def leads(self) -> dict[tuple[int, int], tuple[Estimate, float]]:
        """The lead of each agent over each below it in the ranking, and its p-value by Holm for all of them."""
        order = [standing.agent for standing in self.ranking()]
        leads = {(x, y): self.lead(x, y) for i, x in enumerate(order) for y in order[i + 1 :]}
        corrected = holm(np.array([lead.p for lead in leads.values()]))
        return {pair: (lead, float(p)) for (pair, lead), p in zip(leads.items(), corrected, strict=True)}
