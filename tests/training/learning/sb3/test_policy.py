"""One network for torch, numpy and stable-baselines3."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_runs import masks_of, small

from agents.bots.network import NetworkAgent, forward, input_scale, masked_log_softmax
from buck_env import load_rules
from buck_env.environments.tables import Tables
from buck_env.observation.views import Views, original_actions
from training.learning.network import Network
from training.learning.run.state import arrays
from training.learning.sb3.policy import bot_layers, policy_settings
from training.learning.sb3.ppo import MaskableLearner
from training.learning.sb3.vec_env import SeatVecEnv


@pytest.mark.parametrize("hidden", [[32, 16], [24]])
def test_numpy_plays_the_masked_logits_of_the_sb3_policy(hidden: list[int]) -> None:
    env = SeatVecEnv(64, canonical=True, rules="dirty-clubs")
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=256, policy_kwargs=policy_settings(hidden), seed=1)
    model.learn(1_024)
    observation, masks = env.reset(), masks_of(env)
    with torch.no_grad():
        seen = torch.from_numpy(observation)
        theirs = model.policy.get_distribution(seen, masks).distribution.logits.numpy()
        values = model.policy.predict_values(seen).numpy()[:, 0]
    weights = arrays(bot_layers(model.policy))
    logits, ours = forward(weights, len(hidden), observation, input_scale("points"))
    assert np.abs(masked_log_softmax(logits, masks) - theirs)[masks].max() < 1e-5
    assert np.abs(values - ours).max() < 1e-4
    network = Network(hidden)
    network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
    with torch.no_grad():
        log_probs, _ = network(seen.float(), torch.from_numpy(masks))
    assert np.abs(log_probs.numpy() - theirs)[masks].max() < 1e-5


def test_the_bot_on_disk_chooses_what_predict_chooses(tmp_path: Path) -> None:
    learner = MaskableLearner(small(tmp_path), load_rules("ohio"))
    tables = Tables("ohio", 256, canonical=True)
    tables.reset(0)
    bot = SimpleNamespace(phases=learner.phases, objective="points", canonical=True, hidden=[16], sha256="")
    agent = NetworkAgent(bot, learner.weights())  # type: ignore[arg-type]
    expected, _ = learner.model.predict(tables.observations, deterministic=True, action_masks=tables.masks)
    chosen = agent.act(Views.of(tables.rules, tables.tables, tables.logs))
    assert (chosen == original_actions(expected, tables.labels)).all()
    assert len(set(chosen.tolist())) > 1
    learner.close()
