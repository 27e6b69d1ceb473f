"""The report of a tournament as one page for a browser."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from training.measuring.behaviour import Rate, rates_of
from training.measuring.duplicate import deal_seeds
from training.measuring.estimates import Estimate
from training.measuring.ratings import Rating
from training.tournament.measures import FURTHER, RANKING
from training.tournament.pages import draw_hand, page
from training.tournament.report.chart import chart
from training.tournament.report.wording import cell, columns, gain_text, lead_text, notes, title
from training.tournament.results import Results
from training.tournament.swings import Swing

__all__ = ["report_page"]


def report_page(results: Results) -> str:
    """The page, with the ranking, payoffs, behaviour, how the intervals narrowed, and the largest swings."""
    ranking, labels = results.ranking(), results.labels
    order = [standing.agent for standing in ranking]
    return page(
        "report.html",
        title=title(results),
        results=results,
        labels=labels,
        order=order,
        ranking=ranking,
        scale=_Scale.around([standing.ranked_by for standing in ranking]),
        shown=columns(results, RANKING),
        further=columns(results, FURTHER),
        cell=cell,
        ratings=_Scale.around([standing.rating for standing in ranking]),
        lead_text=lead_text,
        gain_text=gain_text,
        limit=max(0.01, *(abs(results.pair("points", x, y).mean) for x in order for y in order)),
        notes=notes(results),
        rates=rates_of(results.config.rules, results.hands.behaviour),
        rate_text=_rate_text,
        chart=chart(results),
        swings=[_drawn(results, swing) for swing in results.swings],
    )


# --- Intervals --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Scale:
    """A line from 0 to 100 on which some intervals, and the value 0, have room."""

    low: float
    high: float

    @classmethod
    def around(cls, intervals: Sequence[Estimate | Rating]) -> _Scale:
        low, high = min(0, *(i.low for i in intervals)), max(0, *(i.high for i in intervals))
        room = 0.04 * (high - low) or 1.0
        return cls(low - room, high + room)

    def at(self, value: float) -> float:
        """The place of a value on the line."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)


# --- Behaviour --------------------------------------------------------------------------------------------------------


def _rate_text(rate: Rate, counts: Any) -> tuple[str, str] | None:
    """A rate of records (...) BEHAVIOUR, and what it is out of; None where it is out of 0."""
    part, whole = rate.of(counts)
    if not whole:
        return None
    return f"{100 * part / whole:.1f}%" if rate.share else f"{part / whole:.2f}", f"{whole:,}"


# --- Swings -----------------------------------------------------------------------------------------------------------


def _drawn(results: Results, swing: Swing) -> dict[str, Any]:
    """A swing in words and figures, and its two hands, drawn."""
    labels, seats = results.labels, range(results.config.rules.seats)
    x, y = labels[swing.x], labels[swing.y]
    hands = []
    if swing.records:
        tables = (
            (f"{x} in seat {swing.seat}, {y} in the others", [x if seat == swing.seat else y for seat in seats]),
            (f"{y} in every seat", [y for _ in seats]),
        )
        hands = [
            draw_hand(record, heading, names) for record, (heading, names) in zip(swing.records, tables, strict=True)
        ]
    return {
        "x": x,
        "y": y,
        "seat": swing.seat,
        "deal": swing.deal,
        "seed": int(deal_seeds(results.config.seed, 1, first=swing.deal)[0]),
        "points": swing.points,
        "size": swing.size,
        "hands": hands,
        "undrawn": swing.undrawn,
    }
