"""The report of a tournament as one page for a browser."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from training.measuring.behaviour import Rate, rates_of
from training.measuring.duplicate import deal_seeds
from training.measuring.estimates import Estimate
from training.measuring.ratings import Rating
from training.tournament.measures import FURTHER, RANKING
from training.tournament.pages import draw_hand, page
from training.tournament.results import Results
from training.tournament.swings import Swing
from training.tournament.wording import cell, columns, gain_text, lead_text, notes, title

__all__ = ["report_page"]


def report_page(results: Results) -> str:
    """The page: ranking, payoffs, behaviour, how intervals narrowed, and the hands with the largest swings."""
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
        chart=_chart(results),
        swings=[_drawn(results, swing) for swing in results.swings],
    )


# --- Intervals --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Scale:
    """A line 100 long with 0 on it, for some intervals."""

    low: float
    high: float

    @classmethod
    def around(cls, intervals: Sequence[Estimate | Rating]) -> _Scale:
        low, high = min(0, *(i.low for i in intervals)), max(0, *(i.high for i in intervals))
        room = 0.04 * (high - low) or 1.0
        return cls(low - room, high + room)

    def at(self, value: float) -> float:
        """Where a value is."""
        return round(100 * (value - self.low) / (self.high - self.low), 2)


# --- Behaviour --------------------------------------------------------------------------------------------------------


def _rate_text(rate: Rate, counts: Any) -> tuple[str, str] | None:
    """A rate of records (...) BEHAVIOUR, and what it is out of; None where that is nothing."""
    part, whole = rate.of(counts)
    if not whole:
        return None
    return f"{100 * part / whole:.1f}%" if rate.share else f"{part / whole:.2f}", f"{whole:,}"


# --- How intervals narrowed -------------------------------------------------------------------------------------------

_WIDTH, _HEIGHT = 720, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 14, 44


@dataclass(frozen=True)
class _Axis:
    """A logarithmic axis from pixel to pixel."""

    low: float
    high: float
    first: float
    last: float

    def at(self, value: float) -> float:
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.first + share * (self.last - self.first), 1)

    def ticks(self) -> list[tuple[float, str]]:
        """1, 2 and 5 of every power of ten within, or both ends where these are fewer than two, with their labels."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        places = [(first * 10.0**power, max(0, -power)) for power in powers for first in (1, 2, 5)]
        within = [(value, digits) for value, digits in places if self.low <= value <= self.high * (1 + 1e-9)]
        if len(within) < 2:
            ends = (self.low, self.high)
            within = [(end, 0 if end >= 10 else 2 - math.floor(math.log10(end))) for end in ends]
        return [(self.at(value), f"{value:,.{digits}f}") for value, digits in within]


def _chart(results: Results) -> dict[str, Any] | None:
    """Half the interval of each agent's edge against deals, both logarithmic; None where there is nothing to see."""
    until = results.config.until
    halves = [half for _, told in results.narrowing for half in told if half > 0] + ([until] if until else [])
    if len(results.narrowing) < 2 or not halves:
        return None
    x = _Axis(results.narrowing[0][0], results.narrowing[-1][0], _LEFT, _WIDTH - _RIGHT)
    y = _Axis(min(halves) / 1.15, max(halves) * 1.15, _HEIGHT - _BOTTOM, _TOP)
    lines = [
        [(x.at(deals), y.at(told[agent])) for deals, told in results.narrowing if told[agent] > 0]
        for agent in range(len(results.labels))
    ]
    return {
        "width": _WIDTH, "height": _HEIGHT, "left": _LEFT, "right": _WIDTH - _RIGHT, "top": _TOP,
        "bottom": _HEIGHT - _BOTTOM, "x": x.ticks(), "y": y.ticks(), "lines": lines,
        "until": y.at(until) if until else None,
    }  # fmt: skip


# --- Swings -----------------------------------------------------------------------------------------------------------


def _drawn(results: Results, swing: Swing) -> dict[str, Any]:
    """A swing in words, and its two hands, drawn."""
    labels, seats = results.labels, range(results.config.rules.seats)
    x, y = labels[swing.x], labels[swing.y]
    hands = []
    if swing.records:
        tables = (
            (f"{x} in seat {swing.seat}, {y} in the others", [x if seat == swing.seat else y for seat in seats]),
            (f"{y} in every seat", [y for _ in seats]),
        )
        hands = [draw_hand(record, told, names) for record, (told, names) in zip(swing.records, tables, strict=True)]
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
