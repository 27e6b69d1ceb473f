"""SuperSuit: its AEC vector, which batches no dict observations, over `flat_env`."""

from __future__ import annotations

import numpy as np
import pytest
from clients.scored import STEPS, ScoredTable, client

from buck_env import NUM_ACTIONS, OBSERVATION_SIZE, buck_euchre_v0

pytestmark = pytest.mark.filterwarnings("ignore")  # SuperSuit's own


def test_a_vector_of_flat_environments_is_paid_the_scores() -> None:
    supersuit = client("supersuit")
    env = supersuit.vectorize_aec_env_v0(ScoredTable(buck_euchre_v0.flat_env(rules="ohio")), 3)
    env.reset(seed=0)
    paid, over = np.zeros((4, 3)), np.ones(3, bool)
    while sum(table.steps for table in env.envs) < STEPS:
        seen, *_ = env.last()
        assert seen.shape == (3, OBSERVATION_SIZE + NUM_ACTIONS)
        env.step(seen[:, OBSERVATION_SIZE:].argmax(axis=1))
        ended = np.all(list(env.terminations.values()), axis=0)
        paid += np.array(list(env.rewards.values())) * (ended & ~over)
        over = ended
    assert sum(table.illegal for table in env.envs) == 0
    assert np.array_equal(paid.T, [table.points for table in env.envs])
