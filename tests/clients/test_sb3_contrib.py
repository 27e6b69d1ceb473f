"""sb3-contrib: MaskablePPO in one seat, and why PettingZoo's tutorial is no way to train it at a table of four."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from clients.scored import STEPS, ScoredSeat, client, points
from pettingzoo.utils import BaseWrapper

from buck_env import buck_euchre_v0

pytestmark = pytest.mark.filterwarnings("ignore")  # sb3-contrib's own


def test_maskable_ppo_learns_in_one_seat_and_takes_no_illegal_action() -> None:
    sb3 = client("sb3_contrib")
    env = ScoredSeat(gymnasium.make("buck_env:BuckEuchre-v0", opponents="random"))  # an illegal action would raise
    model = sb3.MaskablePPO("MlpPolicy", env, n_steps=500, batch_size=100, n_epochs=1, seed=1, device="cpu")
    model.learn(STEPS)
    assert env.hands > 100
    observation, _ = env.reset(seed=1)
    action, _ = model.predict(observation, action_masks=env.get_wrapper_attr("action_masks")())
    env.step(action)


class TutorialWrapper(BaseWrapper, gymnasium.Env[Any, Any]):
    """`SB3ActionMaskWrapper`, the steps as PettingZoo's tutorial for SB3 has them."""

    def step(self, action: Any) -> Any:
        current_agent = self.agent_selection
        super().step(action)
        next_agent = self.agent_selection
        return (
            self.observe(next_agent),
            self._cumulative_rewards[current_agent],
            self.terminations[current_agent],
            self.truncations[current_agent],
            self.infos[current_agent],
        )


def test_the_wrapper_of_pettingzoos_tutorial_loses_the_rewards_of_all_seats_but_the_last_to_act() -> None:
    env = TutorialWrapper(buck_euchre_v0.env())
    lost = 0
    for seed in range(20):
        env.reset(seed=seed)
        paid, ended, last = 0.0, False, ""
        while not ended:
            last = env.agent_selection
            action = int(np.flatnonzero(env.observe(last)["action_mask"])[0])
            _, reward, ended, _, _ = env.step(action)
            paid += reward
        scored = points(env)
        assert paid == scored[env.possible_agents.index(last)]
        lost += bool(np.delete(scored, env.possible_agents.index(last)).any())
    assert lost > 10
