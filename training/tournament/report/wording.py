"""The wording that the table for the terminal and the page share."""

from __future__ import annotations

from collections.abc import Iterable

from agents.programs.faults import faults_text
from training.measuring.ratings import separate_groups
from training.tournament.measures import Measure
from training.tournament.results import Results, Standing

__all__ = ["cell", "columns", "gain_text", "lead_text", "notes", "title"]


def notes(results: Results) -> list[str]:
    """Notes on the figures, of a sentence or two each."""
    labels, ranking = results.labels, results.ranking()
    best = ranking[0].agent
    ratio = [
        results.hands.variance_ratio("edge", best, ranking[1].agent, adjusted=adjusted) for adjusted in (False, True)
    ]
    notes = [
        "edge, gain and points: means over the opponents, with 95% intervals, one cluster a deal.",
        "* beats: the lower end of the gain is above 0; ** also with Holm's correction for all pairs.",
        "lead: the difference of two edges, deal by deal; * is clear with Holm's correction for all pairs.",
        "rating: Bradley-Terry in Elo's unit, by who has more points in a hand, with bootstrap intervals.",
        f"variance a hand of {labels[best]}'s edge among {labels[ranking[1].agent]}, independent deals 1: "
        f"{ratio[0]:.2f} by rotation, {ratio[1]:.2f} luck-adjusted.",
    ]
    cut = results.matches.played[1] if results.matches else 0
    if cut:
        notes.append(f"{cut:,} matches were cut off and went to the best score.")
    same = [
        f"{labels[x]} = {labels[y]}"
        for x in range(len(labels))
        for y in range(x)
        if all(results.pair("gain", *pair).mean == results.pair("gain", *pair).half == 0 for pair in ((x, y), (y, x)))
    ]
    if same:
        notes.append(f"Played every deal to the same points: {', '.join(same)}.")
    groups = separate_groups(results.hands.wins())
    if len(groups) > 1:
        order = " | ".join(", ".join(labels[x] for x in group) for group in groups)
        notes.append(
            f"Separable: {order}. Who stands further left had more points in every hand with those further right, so "
            "that how far apart their ratings are follows from one deal of draws that is added to the event."
        )
    if results.unrepeatable:
        notes.append(
            f"Not repeatable: {', '.join(results.unrepeatable)}. They decide by a clock, "
            "so that another run of this event gives other figures."
        )
    if results.code_changed:
        notes.append(
            f"Changed on the way: {', '.join(results.code_changed)}. Some hands are of the code before the change."
        )
    notes += [
        f"{label}: {faults_text(counts)}"
        f"{', the hands forfeited' if results.config.on_fault == 'forfeit' and 'replaced' in counts else ''}."
        for label, counts in results.program_counts.items()
    ]
    if not results.complete:
        notes.append("Interrupted: these are the deals until then.")
    return notes


def columns(results: Results, measures: Iterable[Measure]) -> list[Measure]:
    """Those of the measures for which the event has something to count."""
    return [measure for measure in measures if results.standings[0].measures[measure.key] is not None]


def cell(standing: Standing, measure: Measure) -> str:
    """The cell of a measure of an agent."""
    estimate = standing.measures[measure.key]
    return "" if estimate is None else measure.text(estimate)


def lead_text(results: Results, x: int, y: int) -> str:
    """The lead of x over y, which is below it in the ranking, and whether it is clear."""
    lead, p = results.leads[x, y]
    return f"{lead}{' *' if p < 0.05 else ''}"


def gain_text(results: Results, x: int, y: int) -> str:
    """The gain of x among y's, and whether x beats y."""
    mark = " **" if results.clear[x, y] else " *" if results.beats(x, y) else ""
    return f"{results.pair('gain', x, y)}{mark}"


def title(results: Results) -> str:
    """The event, described in a line."""
    matches = f", {results.match_deals:,} match deals" if results.matches else ""
    now = f", {results.played:,} of them now" if results.played < results.hands_played else ""
    return (
        f"{results.config.rules.name}: {results.deals:,} deals{matches}, seed {results.config.seed}, "
        f"{results.hands_played:,} hands{now} in {results.seconds:.0f} s"
    )
