"""Regret minimisation finds what is known of small games."""

from __future__ import annotations

import numpy as np
from cfr.small_games import DEALS, Kuhn

from training.learning.cfr.exploitability import Walk
from training.learning.cfr.solver import Solver


def solved(iterations: int, seed: int = 1) -> Solver:
    solver = Solver(Kuhn(), seed)
    for _ in range(iterations):
        solver.iterate(np.arange(4 * len(DEALS)))
    return solver


def strategy_of(solver: Solver) -> dict[int, np.ndarray]:
    return dict(zip(solver.tables.keys.tolist(), solver.tables.average(), strict=True))


def test_kuhn_poker_comes_to_its_value() -> None:
    found = Walk(Kuhn(), len(DEALS)).exploitability(strategy_of(solved(1500)))
    assert abs(found.values[0] + 1 / 18) < 0.005
    assert found.mean < 0.01
