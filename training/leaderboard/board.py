"""The board of one profile: every agent measured among the references, timed, and exploited."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from agents import Agent, AgentError, load_agent
from agents.compiled.brains import compile_agents
from buck_env import Rules, load_rules
from buck_env.observation.views import Views
from training.base.cells import Cells
from training.base.provenance import checksum_of, versions
from training.leaderboard.settings import AGENTS, REFERENCES, Settings
from training.learning.gradient.exploit import exploit
from training.measuring.compare import compare
from training.measuring.decisions import decisions_of_hands, milliseconds_of

__all__ = ["make_board"]

Say = Callable[[str], None]
RUNS = Path("runs")
"""Where `buck train cfr-PROFILE` leaves its runs."""


def make_board(profile: str, settings: Settings, folder: Path, say: Say) -> dict[str, Any]:
    """Measure all agents in a profile, and return the board.

    Each figure is kept in `folder/PROFILE` as soon as it is made; those that are there already are not made again.
    The board's `rows` hold, by agent, the `ms` of a decision, the figures `among` each other reference, and
    those of the best `response`, or None where there is none. An agent of which there is no run has no row.
    """
    board = _Board(load_rules(profile), settings, folder / profile, say)
    rows = {}
    with threadpool_limits(1):
        for label in AGENTS:
            run = RUNS / f"cfr-{profile}"
            if label == "cfr" and not run.is_dir():
                say(f"{profile}: {label} is left out: there is no run {run}")
                continue
            rows[label] = board.row(label, f"cfr:{run}" if label == "cfr" else label)
    return {
        "profile": profile,
        "versions": versions(),
        "settings": asdict(settings),
        "seconds": round(board.cells.seconds),
        "rows": rows,
    }


def _text(estimate: Mapping[str, float]) -> str:
    return f"{estimate['mean']:+.3f} [{estimate['low']:.3f}, {estimate['high']:.3f}]"


class _Entrant(NamedTuple):
    label: str
    name: str
    agent: Agent


class _Board:
    """What all rows of a board share."""

    def __init__(self, rules: Rules, settings: Settings, folder: Path, say: Say) -> None:
        self._rules, self._settings, self._folder, self._say = rules, settings, folder, say
        self._references = {name: load_agent(name, rules) for name in REFERENCES}
        self.cells = Cells(folder)

    @cached_property
    def _decisions(self) -> Views:
        """The decisions at which all agents are timed."""
        player = load_agent("rules-v1", self._rules)
        return decisions_of_hands(self._rules, player, self._settings.hands, self._settings.seed)

    def row(self, label: str, name: str) -> dict[str, Any]:
        """The row of the agent of a name, as JSON has it."""
        settings, where = self._settings, self._rules.name
        who = _Entrant(label, name, load_agent(name, self._rules))
        ms = self._figures(who, "ms", self._speed, seconds=settings.seconds, hands=settings.hands)["median"]
        deals = settings.slow_deals if ms > settings.slow else settings.deals
        row: dict[str, Any] = {"ms": ms, "among": {}, "response": None}
        for reference, other in self._references.items():
            if reference != label:
                row["among"][reference] = figures = self._figures(
                    who, f"among {reference}", partial(self._among, reference=reference, deals=deals),
                    deals=deals, among=checksum_of(other),
                )  # fmt: skip
                self._say(f"{where}: {label} among {reference}: edge {_text(figures['edge'])}")
        if ms <= settings.too_slow and self._is_compiled(who):
            figures = self._figures(who, "response", self._respond, minutes=settings.minutes, deals=settings.deals)
            row["response"] = figures
            self._say(f"{where}: best response to {label}: gain {_text(figures)}")
        return row

    def _figures(
        self, who: _Entrant, cell: str, make: Callable[[_Entrant], dict[str, Any]], **more: Any
    ) -> dict[str, Any]:
        facts = {
            "agent": who.name, "sha256": checksum_of(who.agent), "versions": versions(),
            "seed": self._settings.seed, **more,
        }  # fmt: skip
        return self.cells.figures(f"{who.label} {cell}", facts, partial(make, who))

    def _speed(self, who: _Entrant) -> dict[str, Any]:
        taken = milliseconds_of(who.agent, self._decisions, self._settings.seconds)
        return {"median": float(np.median(taken)), "decisions": len(taken)}

    def _among(self, who: _Entrant, *, reference: str, deals: int) -> dict[str, Any]:
        found = compare(
            self._rules, who.agent, self._references[reference], deals=deals, seed=self._settings.seed,
            names=(who.label, reference),
        )  # fmt: skip
        return {"edge": asdict(found.edge), "points": asdict(found.points), "gain": asdict(found.gain)}

    def _is_compiled(self, who: _Entrant) -> bool:
        """Whether a best response can learn against it."""
        try:
            compile_agents([(who.label, who.agent)], self._rules)
        except AgentError:
            return False
        return True

    def _respond(self, who: _Entrant) -> dict[str, Any]:
        """A network that learns against copies of the agent; of one that was interrupted nothing is kept."""
        result = exploit(
            who.name, self._rules.name, out=self._folder / f"response-{who.label}", minutes=self._settings.minutes,
            seed=self._settings.seed, deals=self._settings.deals, say=lambda _: None, anew=True,
        )  # fmt: skip
        return asdict(result.gain)
