"""AgileRL: DQN in self-play over the AEC loop of its tutorial, each transition from a seat's decision to its next."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from clients.scored import STEPS, ScoredTable, client

from buck_env import buck_euchre_v0

pytestmark = pytest.mark.filterwarnings("ignore")  # AgileRL's own


def test_dqn_in_self_play_keeps_to_the_masks_and_is_paid_the_scores() -> None:
    dqn = client("agilerl.algorithms.dqn")
    data = client("agilerl.components.data")
    replay_buffer = client("agilerl.components.replay_buffer")
    env = ScoredTable(buck_euchre_v0.env(obs_dtype="float32"))
    space = env.observation_space("seat_0")["observation"]
    agent = dqn.DQN(space, env.action_space("seat_0"), batch_size=64)
    memory = replay_buffer.ReplayBuffer(10_000)
    paid = dict.fromkeys(env.possible_agents, 0.0)
    env.reset(seed=1)
    while env.steps < STEPS:
        pending: dict[str, tuple[Any, int]] = {}
        for seat in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            over = termination or truncation
            paid[seat] += reward
            if seat in pending:  # the seat's last decision, and all that it has been paid since
                obs, action = pending.pop(seat)
                memory.add(
                    data.Transition(
                        obs=obs[None], action=[action], reward=[reward], next_obs=observation["observation"][None],
                        done=[over], batch_size=[1],
                    ).to_tensordict()
                )  # fmt: skip
            if over:
                env.step(None)
                continue
            obs, mask = observation["observation"], observation["action_mask"]
            action = int(agent.get_action(obs[None], epsilon=0.1, action_mask=mask[None])[0])
            pending[seat] = obs, action
            env.step(action)
            if len(memory) >= 64 and env.steps % 20 == 0:
                agent.learn(memory.sample(64))
        env.reset()
    assert env.illegal == 0
    assert np.array_equal(list(paid.values()), env.points)
