"""How the score changes a bot's drop policy: the same stay decisions, with only the scores changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents import Agent, load_agent
from buck_env import BuckError, Rules, action_id, load_rules
from buck_env.base.files import write_json
from buck_env.environments.asking import ask, views_at
from buck_env.environments.tables import Tables
from buck_env.game.house import RulesSource
from buck_env.game.options import Phase
from buck_env.observation.views import Views
from training.base.provenance import checksum_of, versions
from training.measuring.duplicate import deal_seeds
from training.measuring.estimates import Estimate

__all__ = ["SITUATIONS", "at_scores", "stay_rates"]

_SEED: Final = 1_000_000_007
_START: Final = "all as at the start"
_STAY, _DROP = action_id("stay"), action_id("drop")
_MOST: Final = 20
"""The number of batches of deals in which enough decisions must be found."""

SITUATIONS: Final[Mapping[str, Mapping[str, int]]] = {
    _START: {},
    "own seat 1 from the end": {"own": 1},
    "maker 1 from the end": {"maker": 1},
    "all others 1 from the end": {"maker": 1, "others": 1},
    "all 1 from the end": {"own": 1, "maker": 1, "others": 1},
}
"""How many points each is from the target. A seat that is not named stands as at the start."""


def stay_rates(name: str, of: RulesSource, *, decisions: int = 5_000, out: Path | None = None) -> dict[str, Any]:
    """Measure how often an agent stays in each of the `SITUATIONS`, and how far that moves from one to another.

    There are as many deals as decisions, with the agent at every seat. The decision of a deal is its first in which
    staying and dropping are both legal. This prints a line for each situation, returns the figures, and writes them to
    `out` if given: shares with 95% intervals, one cluster a deal, and paired moves. A situation in which the rules
    leave no choice is None. BuckError where nobody may drop, or too few deals have such a decision.
    """
    rules = load_rules(of)
    agent = load_agent(name, rules)
    views = _first_decisions(rules, name, agent, decisions)
    print(f"{rules.name}, {len(views):,} decisions: how often {name} stays, and how far that is from the start's, in %")
    stays: dict[str, np.ndarray] = {}
    for situation, left in SITUATIONS.items():
        there = at_scores(views, **left)
        if not np.array_equal(there.action_mask, views.action_mask):
            print(f"{situation}: not free to drop there")
            continue
        stays[situation] = _stays(name, agent, there)
        moved = Estimate.of(100 * (stays[situation] - stays[_START]))
        print(f"{situation}: {Estimate.of(100 * stays[situation]).unsigned}, {moved}")
    low, high = (choose(stays, key=lambda situation: stays[situation].mean()) for choose in (min, max))
    most = Estimate.of(stays[high] - stays[low])
    if low == high:
        print("it stays as often wherever it is free to drop")
    else:
        print(f"from {low} to {high}: {Estimate.of(100 * (stays[high] - stays[low]))}")
    report = {
        "agent": name,
        "sha256": checksum_of(agent),
        "rules": rules.as_record(),
        "versions": versions(),
        "decisions": decisions,
        "stay_rate": {situation: _figures(stays.get(situation)) for situation in SITUATIONS},
        "most_moved": {"from": low, "to": high, **asdict(most)},
    }
    if out:
        write_json(out, report)
    return report


def _figures(stays: np.ndarray | None) -> dict[str, Any] | None:
    return None if stays is None else asdict(Estimate.of(stays))


def _stays(name: str, agent: Agent, views: Views) -> np.ndarray:
    """1 where the agent stays and 0 where it drops, shape (B,) int64."""
    actions = ask(name, agent, views, np.full(len(views), 1 << _STAY | 1 << _DROP))
    return (actions == _STAY).astype(np.int64)


def at_scores(views: Views, *, own: int | None = None, maker: int | None = None, others: int | None = None) -> Views:
    """The same decisions (B,), with the scores as at the start but for who is so many points from the target."""
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
            views = views_at(tables, rows)
            asked = views.tables["phase"] == Phase.STAY
            parts.append(views.take(np.flatnonzero(asked)))
            deals.append(batch * decisions + rows[asked])
            waiting[rows[asked]] = False
            actions = np.full(decisions, -1, np.int64)
            actions[rows] = ask(name, agent, views, tables.permitted[rows])
            tables.step_some(actions, waiting)
            waiting &= tables.episodes["over"] == 0
        if sum(map(len, deals)) >= decisions:
            return Views.join(parts).take(np.argsort(np.concatenate(deals))[:decisions])
    raise BuckError(
        f"{rules.name}: {_MOST * decisions:,} deals with {name} at every seat hold {sum(map(len, deals)):,} decisions "
        f"to stay or drop, of {decisions:,}; give rules and an agent that leave it the choice"
    )
