"""How fast agents look ahead: milliseconds a decision, deals that fit a second, and positions solved; one core."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
from threadpoolctl import threadpool_limits

from agents import Agent, load_agent
from agents.beliefs.deals import draw_deals
from agents.compiled.models import as_model
from agents.search.solver import Solver
from buck_env import __version__, load_rules
from buck_env.base.files import write_json
from buck_env.game.options import Phase
from buck_env.observation.views import Views
from training.measuring.decisions import decisions_of_hands, milliseconds_of

__all__ = ["bench_search"]

AGENTS: Final = ("pimc:20", "pimc:100", "ismcts:1000", "search:pretrained,200")
MODELS: Final = ("rules-v1", "pretrained")
HANDS: Final = 200
DEALS: Final = 200
"""Deals that are drawn for a decision."""
LEADS: Final = 60
"""Leads of a trick that are looked at, drawn evenly."""
COPIES: Final = 16
"""Times that a table is solved in one call, so that the call itself does not count."""
_WIDTH: Final = 64


def bench_search(rules_name: str, seconds: float, out: Path) -> None:
    """Measure, print a table, and write the figures as JSON; `seconds` is about how long each figure is measured.

    The decisions are those of hands that `rules-v1` plays at every seat.
    """
    rules = load_rules(rules_name)
    decisions = decisions_of_hands(rules, load_agent("rules-v1", rules), HANDS)
    figures: dict[str, Any] = {"version": __version__, "rules": rules.as_record(), "cores": 1}
    with threadpool_limits(1):
        print(f"{rules.name}, medians; decisions with a choice of hands by rules-v1\n")
        for name in AGENTS:
            thought = milliseconds_of(load_agent(name, rules), decisions, seconds)
            _say(figures, f"ms a decision, {name}", float(np.median(thought)))
        _say(figures, "deals a second, drawn evenly", DEALS / _drawing(decisions, seconds)[0])
        third = _leads(decisions, trick=2)
        for name in MODELS:
            taken, worth = _drawing(third, seconds, as_model(load_agent(name, rules)))
            _say(figures, f"deals a second at the third trick, weighted by {name}", DEALS / taken)
            _say(figures, f"independent deals that {DEALS} of them are worth, weighted by {name}", worth)
        solver = Solver(rules)
        _say(figures, "ms to solve a table, five tricks to go", 1e3 * _solving(solver, _leads(decisions, 0), seconds))
        _say(figures, "µs to solve a table, two tricks to go", 1e6 * _solving(solver, _leads(decisions, 3), seconds))
    write_json(out, figures)
    print(f"\nfigures: {out}")


def _say(figures: dict[str, Any], what: str, value: float) -> None:
    figures[what] = round(value, 3)
    print(f"{what:<{_WIDTH}}{value:>12,.{0 if value >= 100 else 2}f}", flush=True)


def _medians(number: int, seconds: float, what: Callable[[int], float]) -> tuple[float, float]:
    """The medians of the seconds that something takes and of what it returns, for item 0 to `number` - 1 in turn."""
    what(0)  # compiles
    began, taken, returned = time.perf_counter(), [], []
    for item in itertools.cycle(range(number)):
        start = time.perf_counter()
        returned.append(what(item))
        end = time.perf_counter()
        taken.append(end - start)
        if end - began >= seconds:
            break
    return float(np.median(taken)), float(np.median(returned))


def _leads(decisions: Views, trick: int) -> Views:
    """Some of the decisions with which a trick, from 0, is led."""
    tables = decisions.tables
    led = (tables["phase"] == Phase.PLAY) & (tables["trick"] == trick)
    rows = np.flatnonzero(led & (tables["played"] == tables["starts"][:, trick]))
    return decisions.take(np.random.default_rng(0).permutation(rows)[:LEADS])


def _drawing(views: Views, seconds: float, model: Agent | None = None) -> tuple[float, float]:
    """The seconds that `DEALS` deals take, and what they are worth: medians over views that are taken singly."""
    singly = [views.take(np.array([row])) for row in range(len(views))]
    return _medians(len(views), seconds, lambda row: float(draw_deals(singly[row], DEALS, model=model).effective[0]))


def _solving(solver: Solver, leads: Views, seconds: float) -> float:
    """The seconds that it takes to solve a table, all hands open, before a card is led: the median over tables."""
    tables = draw_deals(leads, 1).tables
    return _medians(len(tables), seconds, lambda row: len(solver.tricks(tables[row].repeat(COPIES))))[0] / COPIES
