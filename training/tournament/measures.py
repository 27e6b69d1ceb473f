"""The measures of an event: each is declared once, and the terminal's tables, JSON, CSV and the page walk this list.

A new measure needs its entry in `MEASURES`; one that the tables are to show also its key in `RANKING` or `FURTHER`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from training.measuring.estimates import Estimate
from training.tournament.figures import Quantity
from training.tournament.hand_tally import HandTally
from training.tournament.match_tally import MatchTally

__all__ = ["FURTHER", "MEASURES", "RANKING", "Measure", "measured"]

Estimator = Callable[[HandTally, MatchTally | None, int, list[int]], Estimate | None]


@dataclass(frozen=True)
class Measure:
    """One measure of an agent: among one other, or the mean over several."""

    key: str
    """Its name in results.json and results.csv."""
    heading: str
    """Its name in tables."""
    meaning: str
    """What it is, for the page."""
    estimate: Estimator
    """Takes the hands, the matches, an agent x and those it is among; None where the event has nothing to count."""
    text: Callable[[Estimate], str] = str
    """An estimate as tables show it."""
    of_pairs: bool = True
    """Whether it is also measured among one other agent."""
    of_matches: bool = False
    """Whether it is a share of matches, of which an even share is the par."""


def _of_hands(quantity: Quantity) -> Estimator:
    def estimate(hands: HandTally, matches: MatchTally | None, x: int, others: list[int]) -> Estimate:
        return hands.estimate(hands.figures.weights(quantity, x, others))

    return estimate


def _adjusted(quantity: Quantity) -> Estimator:
    def estimate(hands: HandTally, matches: MatchTally | None, x: int, others: list[int]) -> Estimate:
        return hands.adjusted(hands.figures.weights(quantity, x, others))

    return estimate


def _mixed(hands: HandTally, matches: MatchTally | None, x: int, others: list[int]) -> Estimate | None:
    return hands.estimate(hands.figures.mixed_weights(x)) if len(hands.figures.lineups.mixed) else None


def _win_share(hands: HandTally, matches: MatchTally | None, x: int, others: list[int]) -> Estimate | None:
    return matches.share(x, others) if matches and others != [x] else None


MEASURES: Final = (
    Measure(
        "points", "points a hand", "its points toward the target, among each other agent in turn", _of_hands("points")
    ),
    Measure(
        "edge", "edge", "its points less the mean of the others', among each other agent in turn", _of_hands("edge")
    ),
    Measure(
        "edge_adjusted",
        "luck-adjusted",
        "the edge without what the deal's cards explain; its mean is the same truth, its interval narrower where they "
        "explain much",
        _adjusted("edge"),
    ),
    Measure(
        "gain",
        "gain",
        "its points less what the other scores in that seat of that deal when it sits in every seat",
        _of_hands("gain"),
    ),
    Measure(
        "gain_adjusted", "gain, luck-adjusted", "the gain without what the deal's cards explain", _adjusted("gain")
    ),
    Measure("mixed", "mixed", "the edge in line-ups of more agents, or of two and two", _mixed, of_pairs=False),
    Measure(
        "win_share",
        "win share",
        "the share of the matches that it won",
        _win_share,
        text=lambda estimate: estimate.unsigned,
        of_matches=True,
    ),
)
"""In the order of results.csv."""

_BY_KEY: Mapping[str, Measure] = {measure.key: measure for measure in MEASURES}

RANKING: Final = tuple(_BY_KEY[key] for key in ("edge", "edge_adjusted", "gain", "points", "win_share"))
"""The measures in the ranking, in this order. The first is what agents are ranked by."""
FURTHER: Final = (_BY_KEY["mixed"],)
"""The measures in the second table, beside leads and ratings."""


def measured(
    hands: HandTally, matches: MatchTally | None, x: int, others: list[int], *, pair: bool = False
) -> dict[str, Estimate | None]:
    """Every measure of x among the others by its key. With `pair` only those that pairs have."""
    return {
        measure.key: measure.estimate(hands, matches, x, others) for measure in MEASURES if measure.of_pairs or not pair
    }
