"""The opponent pool: who meets whom, and how often."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from training.learning.opponents import LEARNER, OpponentPool


def pool(**changes: Any) -> OpponentPool:
    settings = {"names": ["a", "b"], "snapshots": 2, "share": 0.5, "sampling": "uniform", "seed": 0, **changes}
    return OpponentPool(1000, 4, **settings)


def test_a_share_of_the_tables_seats_the_learner_alone_against_one_of_the_pool() -> None:
    full = pool()
    full.remember({"w": np.zeros(1)})
    full.seat(np.ones(1000, bool))
    assert (full.sitting[500:] == LEARNER).all()
    assert ((full.sitting[:500] == LEARNER).sum(axis=1) == 1).all()
    met = full.sitting[:500].max(axis=1)
    assert all(len(np.unique(row)) == 2 for row in full.sitting[:500])
    assert np.bincount(met, minlength=4)[1:].tolist() == pytest.approx([500 / 3] * 3, rel=0.25)
    where = (full.sitting[:500] == LEARNER).sum(axis=0)
    assert where.tolist() == pytest.approx([125] * 4, rel=0.3)


def test_hard_opponents_are_met_more_often_in_proportion_to_exp_of_minus_edge() -> None:
    hard = pool(sampling="hard")
    hard.edges[:2] = [np.log(3), 0.0]
    assert hard.chances().tolist() == pytest.approx([0.25, 0.75])
    hard.sitting[:] = LEARNER
    hard.sitting[0] = [1, LEARNER, 1, 1]
    earned = np.zeros((1000, 4))
    earned[0] = [0.0, 6.0, 1.0, 2.0]  # the learner 6, the others 1 on average
    before = hard.edges[0]
    hard.seat(np.arange(1000) == 0, earned)
    assert hard.edges[0] == pytest.approx(0.99 * before + 0.01 * 5.0)


def test_the_oldest_of_the_earlier_selves_gives_way() -> None:
    full = pool(names=[])
    for i in range(3):
        full.remember({"w": np.array([i])})
    assert [int(weights["w"][0]) for weights in full.weights] == [2, 1]
    arrays, facts = full.save()
    other = pool(names=[])
    other.restore(arrays, facts)
    assert [int(weights["w"][0]) for weights in other.weights] == [2, 1]
