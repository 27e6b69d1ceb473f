"""The table of an event, as the terminal prints it."""

from __future__ import annotations

from collections.abc import Sequence

from training.tournament.measures import FURTHER, RANKING, Measure
from training.tournament.report.wording import cell, columns, gain_text, lead_text, notes, title
from training.tournament.results import Results

__all__ = ["results_table"]


def results_table(results: Results) -> str:
    """The ranking, who is ahead of whom, and the gain of each agent among each other."""
    labels, ranking = results.labels, results.ranking()
    shown, further = (columns(results, measures) for measures in (RANKING, FURTHER))
    rows = [["", "agent", *(_heading(results, measure) for measure in shown)]]
    more = [["", "agent", "lead over the next", *(_heading(results, measure) for measure in further), "rating"]]
    for place, standing in enumerate(ranking, start=1):
        rows.append([str(place), labels[standing.agent], *(cell(standing, measure) for measure in shown)])
        lead = lead_text(results, standing.agent, ranking[place].agent) if place < len(ranking) else ""
        cells = (cell(standing, measure) for measure in further)
        more.append([str(place), labels[standing.agent], lead, *cells, str(standing.rating)])
    order = [standing.agent for standing in ranking]
    pairs = [["gain of", *(f"among {labels[y]}" for y in order)]]
    pairs += [[labels[x], *("" if x == y else gain_text(results, x, y) for y in order)] for x in order]
    return "\n\n".join([title(results), _aligned(rows), _aligned(more), _aligned(pairs), "\n".join(notes(results))])


def _heading(results: Results, measure: Measure) -> str:
    """The heading of a measure; of a share of matches also what is even."""
    return f"{measure.heading} (par {1 / results.config.rules.seats:.2f})" if measure.of_matches else measure.heading


def _aligned(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows
    )
