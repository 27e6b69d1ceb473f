"""BenchMARL: independent PPO over a task of one's own, as its documentation adds one; all seats share a network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from clients.scored import STEPS, ScoredTable, client

from buck_env import buck_euchre_v0

pytestmark = pytest.mark.filterwarnings("ignore")  # BenchMARL's own


def test_ippo_on_a_task_of_our_own_collects_only_legal_actions_and_the_scores(tmp_path: Path) -> None:
    algorithms = client("benchmarl.algorithms")
    experiment = client("benchmarl.experiment")
    models = client("benchmarl.models")
    common = client("benchmarl.environments.pettingzoo.common")
    torchrl = client("torchrl.envs")
    tables: list[ScoredTable] = []

    class Unkept:
        """An experiment keeps its task and callbacks as pickles, which objects of classes within a test have not."""

        def __reduce__(self) -> Any:
            return str, ("",)

    class BuckTask(Unkept, common.PettingZooClass):  # type: ignore[misc]
        def get_env_fun(self, num_envs: int, continuous_actions: bool, seed: int | None, device: Any) -> Any:
            def make() -> Any:
                tables.append(ScoredTable(buck_euchre_v0.env(obs_dtype="float32")))
                groups = torchrl.MarlGroupMapType.ALL_IN_ONE_GROUP
                return torchrl.PettingZooWrapper(tables[-1], use_mask=True, group_map=groups, seed=seed, device=device)

            return make

        def supports_continuous_actions(self) -> bool:
            return False

        def supports_discrete_actions(self) -> bool:
            return True

        def has_render(self, env: Any) -> bool:
            return False

    config = experiment.ExperimentConfig.get_from_yaml()
    config.loggers, config.evaluation, config.create_json, config.save_folder = [], False, False, str(tmp_path)
    config.max_n_iters, config.on_policy_collected_frames_per_batch = 1, STEPS
    config.on_policy_n_envs_per_worker, config.on_policy_minibatch_size = 1, 500
    config.on_policy_n_minibatch_iters = 1
    paid = np.zeros(4)

    class Paid(Unkept, experiment.Callback):  # type: ignore[misc]
        def on_batch_collected(self, batch: Any) -> None:
            [group] = self.experiment.group_map
            paid[:] += batch["next", group, "reward"].sum(dim=(0, 1)).flatten().numpy()

    experiment.Experiment(
        task=BuckTask("BUCK_EUCHRE", {"max_cycles": 100}),
        algorithm_config=algorithms.IppoConfig.get_from_yaml(),
        model_config=models.MlpConfig.get_from_yaml(),
        critic_model_config=models.MlpConfig.get_from_yaml(),
        seed=1,
        config=config,
        callbacks=[Paid()],
    ).run()
    table = max(tables, key=lambda table: table.steps)  # the others only show their specs
    assert table.steps == STEPS
    assert table.illegal == 0
    assert np.array_equal(paid, table.points)
