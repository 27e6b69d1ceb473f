"""Tianshou: `PettingZooEnv`, alone and in a vector of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from clients.scored import STEPS, ScoredTable, client

from buck_env import buck_euchre_v0

pytestmark = pytest.mark.filterwarnings("ignore")  # Tianshou's own


def test_pettingzoo_env_alone_and_in_a_vector_is_paid_the_scores() -> None:
    envs = client("tianshou.env")
    tables = [ScoredTable(buck_euchre_v0.env()) for _ in range(3)]
    random = np.random.default_rng(1)
    alone = envs.PettingZooEnv(tables[0])
    seen, _ = alone.reset(seed=1)
    paid = np.zeros((3, 4))
    while tables[0].steps < STEPS:
        seen, rewards, terminated, truncated, _ = alone.step(random.choice(np.flatnonzero(seen["mask"])))
        paid[0] += rewards
        if terminated or truncated:
            seen, _ = alone.reset()

    def made(table: ScoredTable) -> Any:
        return lambda: envs.PettingZooEnv(table)

    vector = envs.DummyVectorEnv([made(table) for table in tables[1:]])
    rows, _ = vector.reset(seed=2)
    while tables[1].steps < STEPS // 2:
        actions = [random.choice(np.flatnonzero(row["mask"])) for row in rows]
        rows, rewards, terminated, truncated, _ = vector.step(actions)
        paid[1:] += rewards
        ended = np.flatnonzero(terminated | truncated)
        if len(ended):
            rows[ended] = vector.reset(ended)[0]
    assert sum(table.illegal for table in tables) == 0
    assert np.array_equal(paid, [table.points for table in tables])
