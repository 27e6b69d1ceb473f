"""The board of one profile: every agent measured among the references, timed, and exploited."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from agents import Agent, AgentError, load_agent
from agents.compiled.brains import compile_agents
from buck_env import Rules, load_rules
from buck_env.base.files import write_json
from training.base.provenance import checksum_of, versions
from training.leaderboard.cells import Cells
from training.leaderboard.settings import AGENTS, REFERENCES, Settings
from training.learning.gradient.exploit import exploit
from training.measuring.compare import compare
from training.measuring.decisions import decisions_of_hands, milliseconds_of

__all__ = ["make_board"]

Say = Callable[[str], None]
RUNS = Path("runs")
"""Where `buck train cfr-PROFILE` leaves its runs."""


def make_board(profile: str, settings: Settings, folder: Path, say: Say) -> dict[str, Any]:
    """Measure all agents in a profile, write the board as `PROFILE.json` into a folder, and return it.

    Each figure is kept in a folder of the profile as soon as it is made; those that are there already are not made
    again. The board's `rows` hold, by agent, the `ms` of a decision, the figures `among` each other reference, and
    those of the best `response`, or None where there is none. An agent of which there is no run has no row.
    """
    rules = load_rules(profile)
    cells = Cells(folder / profile)
    rows = {}
    with threadpool_limits(1):
        for label in AGENTS:
            run = RUNS / f"cfr-{profile}"
            if label == "cfr" and not run.is_dir():
                say(f"{profile}: {label} is left out: there is no run {run}")
                continue
            name = f"cfr:{run}" if label == "cfr" else label
            agent = load_agent(name, rules)
            rows[label] = _Row(rules, label, name, agent, settings, cells, folder / profile).measured(say)
    board = {
        "profile": profile,
        "versions": versions(),
        "settings": asdict(settings),
        "seconds": round(cells.seconds),
        "rows": rows,
    }
    write_json(folder / f"{profile}.json", board)
    return board


def _text(estimate: Mapping[str, float]) -> str:
    return f"{estimate['mean']:+.3f} [{estimate['low']:.3f}, {estimate['high']:.3f}]"


class _Row:
    """One agent of a board."""

    def __init__(
        self, rules: Rules, label: str, name: str, agent: Agent, settings: Settings, cells: Cells, folder: Path
    ) -> None:
        self._rules, self._label, self._name, self._agent = rules, label, name, agent
        self._settings, self._cells, self._folder = settings, cells, folder

    def measured(self, say: Say) -> dict[str, Any]:
        """The row, as JSON has it."""
        settings = self._settings
        ms = self._figures("ms", self._speed, seconds=settings.seconds, hands=settings.hands)["median"]
        deals = settings.slow_deals if ms > settings.slow else settings.deals
        row: dict[str, Any] = {"ms": ms, "among": {}, "response": None}
        for reference in REFERENCES:
            if reference != self._label:
                figures = row["among"][reference] = self._among(reference, deals)
                say(f"{self._rules.name}: {self._label} among {reference}: edge {_text(figures['edge'])}")
        if ms <= settings.too_slow and self._is_compiled():
            row["response"] = self._figures("response", self._respond, minutes=settings.minutes, deals=settings.deals)
            say(f"{self._rules.name}: best response to {self._label}: gain {_text(row['response'])}")
        return row

    def _figures(self, cell: str, make: Callable[[], dict[str, Any]], **more: Any) -> dict[str, Any]:
        facts = {
            "agent": self._name, "sha256": checksum_of(self._agent), "versions": versions(),
            "seed": self._settings.seed, **more,
        }  # fmt: skip
        return self._cells.figures(f"{self._label} {cell}", facts, make)

    def _speed(self) -> dict[str, Any]:
        player = load_agent("rules-v1", self._rules)
        decisions = decisions_of_hands(self._rules, player, self._settings.hands, self._settings.seed)
        taken = milliseconds_of(self._agent, decisions, self._settings.seconds)
        return {"median": float(np.median(taken)), "decisions": len(taken)}

    def _among(self, reference: str, deals: int) -> dict[str, Any]:
        other = load_agent(reference, self._rules)

        def measure() -> dict[str, Any]:
            names = self._label, reference
            found = compare(self._rules, self._agent, other, deals=deals, seed=self._settings.seed, names=names)
            return {"edge": asdict(found.edge), "points": asdict(found.points), "gain": asdict(found.gain)}

        return self._figures(f"among {reference}", measure, deals=deals, among=checksum_of(other))

    def _is_compiled(self) -> bool:
        """Whether a best response can learn against it."""
        try:
            compile_agents([(self._label, self._agent)], self._rules)
        except AgentError:
            return False
        return True

    def _respond(self) -> dict[str, Any]:
        """A network that learns against copies of the agent; of one that was interrupted nothing is kept."""
        name = f"pretrained:{self._rules.name}" if self._label == "pretrained" else self._name
        result = exploit(
            name, self._rules.name, out=self._folder / f"response-{self._label}", minutes=self._settings.minutes,
            seed=self._settings.seed, deals=self._settings.deals, say=lambda _: None, anew=True,
        )  # fmt: skip
        return asdict(result.gain)
