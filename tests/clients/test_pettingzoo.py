"""PettingZoo: the loop of its documentation."""

from __future__ import annotations

import numpy as np
from clients.scored import STEPS, ScoredTable

from buck_env import buck_euchre_v0


def test_agent_iter_with_masked_samples_is_paid_the_scores() -> None:
    env = ScoredTable(buck_euchre_v0.env())
    paid = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=42)
    while env.steps < STEPS:
        for agent in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            paid[agent] += reward
            over = termination or truncation
            env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))
        env.reset()
    assert env.illegal == 0
    assert np.array_equal(list(paid.values()), env.points)
