"""TorchRL: `PettingZooWrapper`, checked and rolled out as its documentation has it."""

from __future__ import annotations

import numpy as np
import pytest
from clients.scored import STEPS, ScoredTable, client

from buck_env import buck_euchre_v0

pytestmark = pytest.mark.filterwarnings("ignore")  # TorchRL's own


def test_the_specs_hold_and_a_rollout_is_paid_the_scores() -> None:
    torchrl = client("torchrl.envs")
    torchrl.check_env_specs(torchrl.PettingZooWrapper(buck_euchre_v0.env(), use_mask=True))
    table = ScoredTable(buck_euchre_v0.env())
    env = torchrl.PettingZooWrapper(table, use_mask=True, seed=1)
    rollout = env.rollout(STEPS, break_when_any_done=False)
    paid = [rollout["next", agent, "reward"].sum().item() for agent in table.possible_agents]
    assert table.steps == STEPS
    assert table.illegal == 0
    assert np.array_equal(paid, table.points)
