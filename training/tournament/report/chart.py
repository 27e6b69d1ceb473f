"""The chart of how an event's intervals narrowed, as the page draws it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from training.tournament.results import Results

__all__ = ["Axis", "chart"]

_WIDTH, _HEIGHT = 720, 360
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 16, 14, 44


@dataclass(frozen=True)
class Axis:
    """A logarithmic axis from pixel to pixel."""

    low: float
    high: float
    first: float
    last: float

    def at(self, value: float) -> float:
        """The pixel of a value."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return round(self.first + share * (self.last - self.first), 1)

    def ticks(self) -> list[tuple[float, str]]:
        """Pixels and labels of 1, 2 and 5 times every power of ten on the axis; of both ends if fewer than two fit."""
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        places = [(first * 10.0**power, max(0, -power)) for power in powers for first in (1, 2, 5)]
        within = [(value, digits) for value, digits in places if self.low <= value <= self.high * (1 + 1e-9)]
        if len(within) < 2:
            ends = (self.low, self.high)
            within = [(end, 0 if end >= 10 else 2 - math.floor(math.log10(end))) for end in ends]
        return [(self.at(value), f"{value:,.{digits}f}") for value, digits in within]


def chart(results: Results) -> dict[str, Any] | None:
    """Half the interval of each agent's edge against deals, both logarithmic; None where there is nothing to draw."""
    until = results.config.until
    found = [half for _, halves in results.narrowing for half in halves if half > 0] + ([until] if until else [])
    if len(results.narrowing) < 2 or not found:
        return None
    x = Axis(results.narrowing[0][0], results.narrowing[-1][0], _LEFT, _WIDTH - _RIGHT)
    y = Axis(min(found) / 1.15, max(found) * 1.15, _HEIGHT - _BOTTOM, _TOP)
    lines = [
        [(x.at(deals), y.at(halves[agent])) for deals, halves in results.narrowing if halves[agent] > 0]
        for agent in range(len(results.labels))
    ]
    return {
        "width": _WIDTH, "height": _HEIGHT, "left": _LEFT, "right": _WIDTH - _RIGHT, "top": _TOP,
        "bottom": _HEIGHT - _BOTTOM, "x": x.ticks(), "y": y.ticks(), "lines": lines,
        "until": y.at(until) if until else None,
    }  # fmt: skip
