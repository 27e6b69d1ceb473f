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
from buck_env.rules import RulesSource
from buck_env.table import PHASE_STAY
from buck_env.tables import Tables
from buck_env.views import Views
from training.arena import ask
from training.measures import Estimate, deal_seeds
from training.provenance import checksum_of, versions

__all__ = ["SITUATIONS", "at_scores", "stay_rates"]

_SEED: Final = 1_000_000_007
_STAY, _DROP = action_id("stay"), action_id("drop")
_MOST: Final = 20
"""Batches of deals without enough decisions after which there is no more looking for them."""

SITUATIONS: Final = {
    "maker 3 from the end": {"maker": 3},
    "own seat 3 from the end": {"own": 3},
    "own seat 1 from the end": {"own": 1},
    "all 3 from the end": {"own": 3, "maker": 3, "others": 3},
}
"""How many points whom parts from the target; who is not named stands as at the start."""


def stay_rates(name: str, of: RulesSource, *, decisions: int = 5_000, out: Path | None = None) -> dict[str, Any]:
    """How often an agent stays at the start's scores, and by how much that moves in each of the `SITUATIONS`.

    The decisions are the first real one, staying and dropping both legal, of as many deals, played by the agent at
    every seat. Prints a line each; returns the figures, and writes them where `out` says: shares with 95% intervals,
    one cluster a deal, the changes paired; None where the rules leave no choice.
    """
    rules = load_rules(of)
    agent = load_agent(name, rules)
    views = _first_decisions(rules, name, agent, decisions)
    stays = _stays(name, agent, views)
    figures: dict[str, Any] = {"as at the start": asdict(Estimate.of(stays))}
    print(f"{rules.name}, {len(stays):,} stay decisions: {name} stays in {Estimate.of(100.0 * stays).unsigned}%")
    for situation, left in SITUATIONS.items():
        changed = at_scores(views, **left)
        if not np.array_equal(changed.action_mask, views.action_mask):
            figures[situation] = None
            print(f"{situation}: not free to drop there")
            continue
        moved = _stays(name, agent, changed) - stays
        figures[situation] = asdict(Estimate.of(moved))
        print(f"{situation}: {Estimate.of(100 * moved)} percentage points")
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


def _stays(name: str, agent: Agent, views: Views) -> np.ndarray:
    """(B,) float64: 1 where the agent stays, 0 where it drops."""
    actions, _ = ask(name, agent, views, np.full(len(views), 1 << _STAY | 1 << _DROP))
    return (actions == _STAY).astype(np.float64)


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


def _first_decisions(rules: Rules, name: str, agent: Agent, decisions: int) -> Views:
    if "stay" not in rules.phases:
        raise BuckError(f"{rules.name}: nobody may drop in these rules; give rules that have the phase stay")
    parts: list[Views] = []
    deals: list[np.ndarray] = []
    for batch in range(_MOST):
        tables = Tables(rules, decisions, skip_forced=True)
        tables.reset_seeds(deal_seeds(_SEED, decisions, first=batch * decisions))
        waiting = np.ones(decisions, np.bool_)
        while waiting.any():
            rows = np.flatnonzero(waiting)
            views = Views.of(rules, tables.tables.take(rows), tables.logs.take(rows))
            asked = views.tables["phase"] == PHASE_STAY
            parts.append(views.take(np.flatnonzero(asked)))
            deals.append(batch * decisions + rows[asked])
            waiting[rows[asked]] = False
            actions = np.full(decisions, -1, np.int64)
            actions[rows], _ = ask(name, agent, views, tables.permitted[rows])
            tables.step_some(actions, waiting)
            waiting &= tables.episodes["over"] == 0
        if sum(map(len, deals)) >= decisions:
            return Views.join(parts).take(np.argsort(np.concatenate(deals))[:decisions])
    raise BuckError(
        f"{rules.name}: {_MOST * decisions:,} deals with {name} at every seat hold {sum(map(len, deals)):,} decisions "
        f"to stay or drop, of {decisions:,}; ask for fewer, or give rules and an agent that leave it the choice"
    )
