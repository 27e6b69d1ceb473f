"""Masks hold in training, in evaluations and after them (lessons D4, D5, D6)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import pytest
from runs import scalars
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.callbacks import MaskableEvalCallback
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_runs import silently, small
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv, VecMonitor

from buck_env import IllegalActionError
from training.learning.sb3.vec_env import SeatVecEnv


class Illegal(BaseCallback):
    """The most illegal actions that an episode had."""

    most = 0

    def _on_step(self) -> bool:
        self.most = max(self.most, *(info["illegal_actions"] for info in self.locals["infos"]))
        return True


def registered() -> gymnasium.Env[Any, Any]:
    return gymnasium.make("BuckEuchre-v0", opponents="random", illegal_action="random", disable_env_checker=True)


@pytest.mark.parametrize("kind", ["dummy", "subproc", "native"])
def test_maskable_ppo_takes_no_illegal_action_in_any_vec_env(kind: str) -> None:
    env: VecEnv = (
        DummyVecEnv([registered] * 4) if kind == "dummy"
        else SubprocVecEnv([registered] * 2) if kind == "subproc"
        else SeatVecEnv(4, opponents="random", illegal_action="random")
    )  # fmt: skip
    illegal = Illegal()
    model = MaskablePPO("MlpPolicy", env, n_steps=400 // env.num_envs, n_epochs=1, batch_size=100, seed=1)
    model.learn(2_000, callback=illegal)
    assert model.num_timesteps == 2_000
    assert illegal.most == 0
    model.learn(400, callback=illegal, use_masking=False, reset_num_timesteps=False)
    assert illegal.most > 0, "unmasked, the same policy would have been caught"
    env.close()


class Counted(SeatVecEnv):
    """Keeps the most illegal actions that an episode had, and how many steps there were."""

    most = steps = 0

    def step_wait(self) -> Any:
        result = super().step_wait()
        self.most = max(self.most, *(info["illegal_actions"] for info in result[3]))
        self.steps += 1
        return result


def test_masks_hold_in_evaluations_within_training_and_after_them() -> None:
    training, evaluation = (Counted(4, opponents="random", illegal_action="random") for _ in range(2))
    model = MaskablePPO("MlpPolicy", VecMonitor(training), n_steps=64, n_epochs=1, batch_size=64, seed=1)
    model.learn(512, callback=MaskableEvalCallback(VecMonitor(evaluation), n_eval_episodes=4, eval_freq=10, verbose=0))
    assert evaluation.steps >= 12 * 4, "twelve evaluations"
    assert (training.most, evaluation.most) == (0, 0)
    evaluate_policy(model, VecMonitor(evaluation), n_eval_episodes=4, use_masking=False)
    assert evaluation.most > 0


def test_a_run_with_an_evaluation_each_rollout_takes_no_illegal_action(tmp_path: Path) -> None:
    config = small(tmp_path, evaluate=1, evaluate_deals=10, vec="dummy", envs=4, decisions=384)
    logged = scalars(silently(config) / "logs")
    assert [value for _, value in logged["game/illegal_actions"]] == [0, 0, 0]
    assert [step for step, _ in logged["evaluate/gain_over_rules-v1"]] == [128, 256, 384]


def test_predict_with_masks_is_legal_in_strict_mode_and_without_them_is_caught() -> None:
    model = MaskablePPO("MlpPolicy", SeatVecEnv(4, illegal_action="raise"), n_steps=8, batch_size=8, seed=1)
    env = VecMonitor(SeatVecEnv(50, illegal_action="raise"))
    for deterministic in (True, False):
        evaluate_policy(model, env, n_eval_episodes=500, deterministic=deterministic)
    with pytest.raises(IllegalActionError):
        evaluate_policy(model, env, n_eval_episodes=50, use_masking=False)
