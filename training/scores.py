"""What the score does to a bot's drop policy: the same stay decisions, with only the scores changed."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents import Agent, load_agent
from agents.bot import replace_file
from buck_env import BuckError, Rules, action_id, load_rules
from buck_env.table import PHASE_STAY
from buck_env.tables import Tables
from buck_env.views import Views
from training.measures import Estimate, deal_seeds
from training.provenance import checksum_of, versions

__all__ = ["SITUATIONS", "at_scores", "stay_rates"]

_SEED: Final = 1_000_000_007
_STAY: Final = action_id("stay")

SITUATIONS: Final = {
    "maker 3 from the end": {"maker": 3},
    "own seat 3 from the end": {"own": 3},
    "own seat 1 from the end": {"own": 1},
    "all 3 from the end": {"own": 3, "maker": 3, "others": 3},
}
"""How many points whom parts from the target; who is not named stands as at the start."""


def stay_rates(name: str, rules_name: str, *, decisions: int = 5_000, out: Path | None = None) -> dict[str, Any]:
    """How often an agent stays at the start's scores, and by how much that moves in each of the `SITUATIONS`.

    The decisions are the first real one, staying and dropping both legal, of as many deals, played by the agent at
    every seat. Prints a line each; returns the figures, and writes them where `out` says: shares with 95% intervals,
    one cluster a deal, the changes paired.
    """
    rules = load_rules(rules_name)
    agent = load_agent(name, rules)
    views = _first_decisions(rules, agent, decisions)
    stays = agent.act(views) == _STAY
    figures: dict[str, Any] = {"as at the start": asdict(Estimate.of(stays.astype(np.float64)))}
    print(f"{rules.name}, {len(stays):,} stay decisions: {name} stays in {Estimate.of(100.0 * stays).unsigned}%")
    for situation, left in SITUATIONS.items():
        changed = at_scores(views, **left)
        if not np.array_equal(changed.action_mask, views.action_mask):
            print(f"{situation}: not free to drop there")
            continue
        moved = Estimate.of((agent.act(changed) == _STAY).astype(np.float64) - stays)
        figures[situation] = asdict(moved)
        print(f"{situation}: {_points(moved)} percentage points")
    report = {
        "agent": name,
        "sha256": checksum_of(agent),
        "rules": rules.as_record(),
        "versions": versions(),
        "decisions": decisions,
        "stay_rate": figures,
    }
    if out:
        out.parent.mkdir(parents=True, exist_ok=True)
        replace_file(out, json.dumps(report, indent=1).encode())
    return report


def _points(share: Estimate) -> str:
    return f"{100 * share.mean:+.1f} [{100 * share.low:.1f}, {100 * share.high:.1f}]"


def at_scores(views: Views, *, own: int | None = None, maker: int | None = None, others: int | None = None) -> Views:
    """The same decisions (B,) with the scores as at the start but for who is so many points from the target."""
    rules, rows = views.rules, np.arange(len(views))
    tables = views.tables.take(rows)

    def score(left: int | None) -> int:
        return rules.start if left is None else rules.target - rules.toward * left

    tables["scores"][:, : rules.seats] = score(others)
    tables["scores"][rows, tables["maker"]] = score(maker)
    tables["scores"][rows, views.seats] = score(own)
    return Views(rules, tables, views.seats, views.uniforms)


def _first_decisions(rules: Rules, agent: Agent, decisions: int) -> Views:
    if "stay" not in rules.phases:
        raise BuckError(f"{rules.name}: nobody may drop in these rules; give rules that have the phase stay")
    parts: list[Views] = []
    deals: list[np.ndarray] = []
    dealt = 0
    while sum(map(len, deals)) < decisions:
        tables = Tables(rules, decisions, skip_forced=True)
        tables.reset_seeds(deal_seeds(_SEED, decisions, first=dealt))
        waiting = np.ones(decisions, np.bool_)
        while waiting.any():
            rows = np.flatnonzero(waiting)
            views = Views.of(rules, tables.tables.take(rows), tables.logs.take(rows))
            asked = views.tables["phase"] == PHASE_STAY
            parts.append(views.take(np.flatnonzero(asked)))
            deals.append(dealt + rows[asked])
            waiting[rows[asked]] = False
            actions = np.full(decisions, -1, np.int64)
            actions[rows] = agent.act(views)
            tables.step_some(actions, waiting)
            waiting &= tables.episodes["over"] == 0
        dealt += decisions
    return Views.join(parts).take(np.argsort(np.concatenate(deals))[:decisions])
