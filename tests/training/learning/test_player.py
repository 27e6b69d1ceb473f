"""What the policy and the critic are shown when they play."""

from __future__ import annotations

import numpy as np

from buck_env import load_rules
from training.learning.self_play import SelfPlayLearner, TrainConfig
from training.learning.unseen_cards import UNSEEN_SIZE


def test_the_policy_never_sees_what_the_oracle_critic_sees() -> None:
    config = TrainConfig(tables=32, steps=8, hidden=[16], minibatch=64, oracle_critic=True)
    learner = SelfPlayLearner(config, load_rules("ohio"))
    tables = learner.collector.tables
    seen, mask = tables.observations[:4], tables.masks[:4]
    nothing, everything = np.zeros((4, UNSEEN_SIZE), np.int8), np.ones((4, UNSEEN_SIZE), np.int8)
    state = learner.player.generator.get_state()
    one = learner.player.decide(seen, mask, nothing)
    learner.player.generator.set_state(state)
    other = learner.player.decide(seen, mask, everything)
    learner.close()
    assert np.array_equal(one.action, other.action)
    assert np.array_equal(one.log_prob, other.log_prob)
    assert not np.allclose(one.value, other.value)
