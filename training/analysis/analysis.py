"""One decision analysed: each legal action's points and match-win chance, as a table and as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.programs.position import position_of
from buck_env.game.actions import action_text
from buck_env.game.options import PHASES
from buck_env.observation.views import Views
from training.analysis.analyst import LOW, Analyst
from training.analysis.values import Judged, half_widths
from training.base.provenance import versions

__all__ = ["Analysis", "Figure", "analyse", "analysis_record", "analysis_table", "low_deals"]


@dataclass(frozen=True)
class Figure:
    """One action's figure with 95% intervals."""

    value: float
    half: float
    """Half the width of the interval of its value."""
    behind: float
    """By how much it falls short of the best action, the same deals counted for both."""
    behind_half: float
    """Half the width of the interval of that difference."""


@dataclass(frozen=True)
class Analysis:
    """One decision and what its actions are worth."""

    views: Views
    """The decision, a batch of one."""
    analyst: Analyst
    deals: int
    effective: float
    """How many independent deals the figures rest on."""
    points: dict[str, Figure]
    """Action as records write it: points toward the target by the end of the hand; the best first."""
    best_points: float
    """The value of the best action, not flattered."""
    matches: int
    """Matches played out; 0 where none were."""
    chances: dict[str, Figure]
    """Action: the chance to win the match, 0 to 1, in the order of `points`; empty without matches."""

    @property
    def phase(self) -> str:
        """What the seat has to decide."""
        return PHASES[self.views.tables["phase"][0]]


def analyse(views: Views, analyst: Analyst, deals: int, matches: int = 0) -> Analysis:
    """Judge one decision, a batch of one, over so many deals and, unless 0, so many matches."""
    judged = analyst.points(views, deals)
    points = _figures(judged, views)
    chances = _figures(analyst.match_chances(views, matches), views) if matches else {}
    return Analysis(
        views,
        analyst,
        deals,
        float(judged.effective[0]),
        points,
        float(judged.best_value[0]),
        matches,
        {action: chances[action] for action in points if chances},
    )


def _figures(judged: Judged, views: Views) -> dict[str, Figure]:
    """The figures of a batch of one, the best action first."""
    phase = PHASES[views.tables["phase"][0]]
    halves = half_widths(judged.errors, judged.effective)[0]
    behind_halves = half_widths(judged.behind_errors, judged.effective / 2)[0]
    legal = np.flatnonzero(judged.mask[0])
    return {
        action_text(int(action), phase): Figure(
            float(judged.values[0, action]),
            float(halves[action]),
            float(judged.behind[0, action]),
            float(behind_halves[action]),
        )
        for action in sorted(legal, key=lambda action: -judged.values[0, action])
    }


def analysis_table(analysis: Analysis) -> str:
    """The analysis as lines of text for a terminal."""
    views = analysis.views
    table, seats = views.tables[0], range(views.rules.seats)
    scores = ", ".join(str(table["scores"][seat]) for seat in seats)
    lines = [
        f"{views.rules.name}, seat {views.seats[0]} to {analysis.phase}, scores {scores}",
        f"{analysis.analyst.name} plays on at every seat; {analysis.deals:,} deals weighted by how likely it was to do "
        f"what the others did, worth {analysis.effective:,.0f}",
    ]
    lines += low_deals(analysis.effective)
    if analysis.matches:
        lines.append(
            f"match: {analysis.matches:,} matches, played to their end by {analysis.analyst.match_name} at every seat"
        )
    head = f"{'action':<14}{'points':<18}{'behind the best':<18}"
    lines += ["", head + (f"{'match %':<18}behind the best" if analysis.chances else "")]
    for action, figure in analysis.points.items():
        row = f"{action:<14}{_pm(figure.value, figure.half, '+.2f'):<18}"
        row += f"{_pm(figure.behind + 0.0, figure.behind_half, '.2f'):<18}"
        if action in analysis.chances:
            chance = analysis.chances[action]
            row += f"{_pm(100 * chance.value, 100 * chance.half, '.1f'):<18}"
            row += _pm(100 * chance.behind, 100 * chance.behind_half, ".1f")
        lines.append(row.rstrip())
    lines += [
        "",
        f"the best action is worth {analysis.best_points:+.2f} points: half of the deals choose it, half value it",
    ]
    return "\n".join(lines)


def low_deals(effective: float) -> list[str]:
    """A warning where figures rest on few deals."""
    if effective >= LOW:
        return []
    if effective == 0:
        return [
            "warning: no cards were found with which the model would have done what the others did; every deal counts "
            "the same, so these figures say nothing about what their actions reveal; take more deals"
        ]
    return [
        f"warning: the deals are worth only {effective:.1f} independent ones; take more deals, or trust this little"
    ]


def _pm(value: float, half: float, form: str) -> str:
    return f"{value:{form}} ± {half:.2f}" if "2" in form else f"{value:{form}} ± {half:.1f}"


def analysis_record(analysis: Analysis) -> dict[str, Any]:
    """The analysis as JSON: all figures, and what they follow from."""
    return {
        "position": position_of(analysis.views, 0),
        "analyst": analysis.analyst.as_record(),
        "versions": versions(),
        "deals": analysis.deals,
        "effective": analysis.effective,
        "low": bool(low_deals(analysis.effective)),
        "best_points": analysis.best_points,
        "matches": analysis.matches,
        "match_player": analysis.analyst.match_name if analysis.matches else None,
        "actions": {
            action: {
                "points": _figure_record(figure),
                "match": _figure_record(analysis.chances[action]) if analysis.chances else None,
            }
            for action, figure in analysis.points.items()
        },
    }


def _figure_record(figure: Figure) -> dict[str, float]:
    return {
        "mean": figure.value,
        "low": figure.value - figure.half,
        "high": figure.value + figure.half,
        "behind": figure.behind,
        "behind_low": figure.behind - figure.behind_half,
        "behind_high": figure.behind + figure.behind_half,
    }
