"""RLlib: PPO over `PettingZooEnv` with its own masking module; its check of the environment samples without masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from clients.scored import STEPS, ScoredTable, client

from buck_env import buck_euchre_v0

pytestmark = pytest.mark.filterwarnings("ignore")  # RLlib's own


def test_ppo_with_its_own_masking_module_is_paid_the_scores() -> None:
    client("tree")  # of the extra ray[rllib], which `ray` alone does not bring
    ray = client("ray")
    ppo = client("ray.rllib.algorithms.ppo")
    pettingzoo_env = client("ray.rllib.env.wrappers.pettingzoo_env")
    multi_rl_module = client("ray.rllib.core.rl_module.multi_rl_module")
    rl_module = client("ray.rllib.core.rl_module.rl_module")
    masking = client("ray.rllib.examples.rl_modules.classes.action_masking_rlm")

    class PaidEnv(pettingzoo_env.PettingZooEnv):  # type: ignore[misc]
        def begin(self) -> None:
            self.paid = dict.fromkeys(self.env.possible_agents, 0.0)
            self.env.points[:] = self.env.illegal = self.env.steps = 0

        def step(self, action: Any) -> Any:
            result = super().step(action)
            if hasattr(self, "paid"):
                for agent, reward in result[1].items():
                    self.paid[agent] += reward
            return result

    def made(_: Any) -> Any:
        return PaidEnv(
            ScoredTable(buck_euchre_v0.env(obs_dtype="float32", observation_key="observations", mask_dtype="float32"))
        )

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    try:
        ray.tune.register_env("buck_euchre", made)
        config = (
            ppo.PPOConfig()
            .environment("buck_euchre")
            .env_runners(num_env_runners=0, rollout_fragment_length=STEPS, batch_mode="complete_episodes")
            .learners(num_learners=0)
            .multi_agent(policies={"shared"}, policy_mapping_fn=lambda agent, episode, **_: "shared")
            .rl_module(
                rl_module_spec=multi_rl_module.MultiRLModuleSpec(
                    rl_module_specs={"shared": rl_module.RLModuleSpec(module_class=masking.ActionMaskingTorchRLModule)}
                )
            )
            .training(train_batch_size=STEPS, minibatch_size=500, num_epochs=1)
        )
        algo = config.build_algo()
        [env] = [each.unwrapped for each in algo.env_runner.env.envs]
        env.begin()
        algo.train()
    finally:
        ray.shutdown()
    assert env.env.illegal == 0
    assert env.env.steps >= STEPS
    assert np.array_equal(list(env.paid.values()), env.env.points)
