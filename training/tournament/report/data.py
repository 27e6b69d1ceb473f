"""The results of an event for programs, as JSON and as CSV."""

from __future__ import annotations

import csv
import io
import platform
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any, Final, Literal

import numpy as np

from training.base.provenance import cores, versions
from training.measuring.behaviour import Rate, rates_of
from training.measuring.duplicate import deal_seeds
from training.measuring.estimates import Estimate
from training.tournament.measures import FURTHER, MEASURES, RANKING
from training.tournament.results import Results

__all__ = ["results_csv", "results_json"]

Compared = Literal["edge", "gain"]

_OF_PAIRS: Final = [measure for measure in MEASURES if measure.of_pairs]
_COMPARED: Final[tuple[Compared, ...]] = ("edge", "gain")
"""What has a variance ratio."""
_KEYS: Final = {measure.key for measure in _OF_PAIRS}
_BOUNDS: Final = {"": "mean", "_low": "low", "_high": "high"}
"""The columns of an estimate: what is appended to its key, and which figure stands there."""


def results_csv(results: Results) -> str:
    """One line an ordered pair, x among y's. Where x is y, only its points mean anything, and it plays no matches."""
    text = io.StringIO()
    lines = [_cells(pair) for pair in _pairs(results)]
    writer = csv.DictWriter(text, list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()


def results_json(results: Results) -> dict[str, Any]:
    """Everything, by name. All of it but `run` is the same whenever the same event is played, if all are repeatable.

    Deal i is the deal of a table whose seed is the first seed plus i.
    """
    config, labels = results.config, results.labels
    rates = rates_of(config.rules, results.hands.behaviour)
    return {
        "complete": results.complete,
        "config": {
            "rules": config.rules.as_record(),
            "agents": config.agents,
            "deals": config.deals,
            "matches": config.matches,
            "mixed": config.mixed,
            "until": config.until,
            "seed": config.seed,
            "on_fault": config.on_fault,
            "timeout": config.timeout,
            "start_timeout": config.start_timeout,
        },
        "rules": config.rules.as_dict(),
        "versions": versions(),
        "sha256": results.checksums,
        "unrepeatable": results.unrepeatable,
        "code_changed": results.code_changed,
        "played": {"deals": results.deals, "matches": results.match_deals, "hands": results.hands_played},
        "first_seeds": {
            name: int(deal_seeds(config.seed, 1, stream)[0])
            for name, stream, deals in (("hands", 0, results.deals), ("matches", 1, results.match_deals))
            if deals
        },
        "ranking": [
            {
                "agent": labels[standing.agent],
                **{measure.key: _record(standing.measures[measure.key]) for measure in (*RANKING, *FURTHER)},
                "rating": {"value": standing.rating.value, "low": standing.rating.low, "high": standing.rating.high},
                "beats": [labels[y] for y in standing.beats],
            }
            for standing in results.ranking()
        ],
        "leads": [
            {"x": labels[x], "y": labels[y], "lead": _record(lead), "p": lead.p, "p_holm": p}
            for (x, y), (lead, p) in results.leads.items()
        ],
        "pairs": _pairs(results),
        "behaviour": {label: _behaviour(rates, results.hands.behaviour[x]) for x, label in enumerate(labels)},
        "narrowing": [
            {"deals": deals, "edge_half": dict(zip(labels, halves, strict=True))} for deals, halves in results.narrowing
        ],
        "swings": [
            {
                "x": labels[swing.x],
                "y": labels[swing.y],
                "deal": swing.deal,
                "seat": swing.seat,
                "points": swing.points,
                "played_again": swing.records is not None,
            }
            for swing in results.swings
        ],
        "programs": {label: dict(counts) for label, counts in results.program_counts.items()},
        "run": {
            "seconds": round(results.seconds, 3),
            "hands": results.played,
            "hands_per_second": round(results.played / results.seconds),
            "processes": config.processes,
            "ray": config.ray,
            "cores": cores(),
            "machine": platform.platform(),
            "python": platform.python_version(),
            **{name: version(name) for name in ("numpy", "numba")},
        },
    }


def _behaviour(rates: Sequence[Rate], counts: np.ndarray) -> dict[str, Any]:
    """Rates of an agent's counts (S,) BEHAVIOUR, in all and by seat from the dealer, each with what it is out of."""
    return {
        rate.name: {
            "phase": rate.phase or None,
            "meaning": rate.meaning,
            **_of(rate, counts),
            "by_seat_from_dealer": [_of(rate, place) for place in counts],
        }
        for rate in rates
    }


def _of(rate: Rate, counts: np.ndarray) -> dict[str, Any]:
    part, whole = rate.of(counts)
    return {"rate": part / whole if whole else None, "part": part, "of": whole}


def _pairs(results: Results) -> list[dict[str, Any]]:
    agents = range(len(results.labels))
    return [_pair(results, x, y) for x in agents for y in agents]


def _pair(results: Results, x: int, y: int) -> dict[str, Any]:
    """What x does among y's; where x is y, what follows from two agents is None."""
    measures = results.pair_measures(x, y)
    matches = results.matches if x != y else None
    length, cut = matches.length(x, y) if matches else (None, None)
    return {
        "x": results.labels[x],
        "y": results.labels[y],
        **{measure.key: _record(measures[measure.key]) for measure in _OF_PAIRS if not measure.of_matches},
        "beats": results.beats(x, y),
        "beats_holm": bool(results.clear[x, y]),
        **{measure.key: _record(measures[measure.key]) for measure in _OF_PAIRS if measure.of_matches},
        "hands_per_match": length,
        "truncated": cut,
        "variance_ratio": {quantity: _variance_ratios(results, quantity, x, y) for quantity in _COMPARED}
        if x != y
        else None,
        "repeatable": not {results.labels[x], results.labels[y]} & set(results.unrepeatable),
    }


def _variance_ratios(results: Results, quantity: Compared, x: int, y: int) -> dict[str, float]:
    return {
        "rotation": results.hands.variance_ratio(quantity, x, y),
        "adjusted": results.hands.variance_ratio(quantity, x, y, adjusted=True),
    }


def _record(estimate: Estimate | None) -> dict[str, float] | None:
    if estimate is None:
        return None
    return {
        "mean": estimate.mean,
        "low": estimate.low,
        "high": estimate.high,
        "deviation": estimate.deviation,
        "deals": estimate.deals,
    }


def _cells(pair: Mapping[str, Any]) -> dict[str, Any]:
    """The cells of a pair's line by their headings: an estimate takes three of them, the variance ratios four."""
    cells: dict[str, Any] = {}
    for key, value in pair.items():
        if key in _KEYS:
            figures = value or {}
            cells |= {f"{key}{suffix}": figures.get(name) for suffix, name in _BOUNDS.items()}
        elif key == "variance_ratio":
            ratios = value or {}
            cells |= {
                f"{key}_{quantity}_{by}": ratios.get(quantity, {}).get(by)
                for quantity in _COMPARED
                for by in ("rotation", "adjusted")
            }
        else:
            cells[key] = str(value).lower() if isinstance(value, bool) else value
    return cells
