"""The single-seat environment as stable-baselines3 takes it: all tables in one batch, or one environment a table.

Table i of seed s is the same in each kind, so that a run may change its kind when it is resumed.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Literal

import numpy as np
from gymnasium import Wrapper
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from buck_env import BuckError
from buck_env.environments.seat import SeatEnv, SeatVectorEnv

__all__ = ["SeatVecEnv", "VecKind", "make_vec_env", "restore_tables", "save_tables"]

VecKind = Literal["dummy", "subproc", "native"]

_SHARED = ("rules", "render_mode", "metadata")
"""The attributes that `get_attr` gives, the same at every table."""


class SeatVecEnv(VecEnv):
    """N tables of `SeatVectorEnv` as one VecEnv; it gives what `DummyVecEnv` of N `SeatEnv` gives, bit for bit.

    Masks are asked for by ``env_method("action_masks")``, as MaskablePPO does: N of shape (A,), bool.

    Args:
        num_envs: N.
        settings: those of `SeatVectorEnv`, `autoreset_mode` apart.
    """

    def __init__(self, num_envs: int, **settings: Any) -> None:
        self.tables = SeatVectorEnv(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **settings)
        super().__init__(num_envs, self.tables.single_observation_space, self.tables.single_action_space)

    def reset(self) -> np.ndarray:
        """Begin an episode at every table; the views (N, D) of the learner's first decisions."""
        if any(self._options):
            raise BuckError(f"options: {self._options[0]!r} not known; this environment has none")
        observations, infos = self.tables.reset(seed=self._seeds[0])
        self._reset_seeds()
        self.reset_infos = _by_table(infos)
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions (N,) of the next `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Views (N, D), rewards (N,) float32, ends (N,) bool, and N infos; where an episode ended the view is of the
        next one, and the info has the last view of the old one as ``terminal_observation``."""
        observations, rewards, terminated, truncated, batch = self.tables.step(self._actions)
        ended = terminated | truncated
        infos = _by_table(batch.get("final_info", batch))
        for info, cut in zip(infos, (truncated & ~terminated).tolist(), strict=True):
            info["TimeLimit.truncated"] = cut
        if ended.any():
            begun = _by_table(batch)
            for row in np.flatnonzero(ended):
                infos[row]["terminal_observation"] = batch["final_obs"][row]
                self.reset_infos[row] = begun[row]
        return observations, rewards, ended, infos

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """What a method gives at each table: `action_masks`, or `render`."""
        method: Callable[..., Any] | None = {
            "action_masks": self.tables.action_masks,
            "render": self.tables.render,
        }.get(method_name)
        if method is None:
            raise AttributeError(f"{method_name}: tables have no such method; allowed: action_masks, render")
        given = method(*method_args, **method_kwargs)
        return [None if given is None else given[row] for row in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of each table."""
        rows = self._get_indices(indices)
        if attr_name == "action_masks":
            return [partial(self._masks_of, row) for row in rows]
        if attr_name not in _SHARED:
            raise AttributeError(f"{attr_name}: tables have no such attribute; allowed: {', '.join(_SHARED)}")
        return [getattr(self.tables, attr_name) for _ in rows]

    def _masks_of(self, row: int) -> np.ndarray:
        masks: np.ndarray = self.tables.action_masks()[row]
        return masks

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refused: what a table is, is settled when it is made."""
        raise AttributeError(f"{attr_name}: cannot be set; give it when the environment is made")

    def env_is_wrapped(
        self, wrapper_class: type[Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Tables of a batch have no wrappers."""
        return [False for _ in self._get_indices(indices)]

    def get_images(self) -> list[np.ndarray | None]:
        """The learner's view of each table as a picture, or None without a render mode."""
        return self.env_method("render")

    def close(self) -> None:
        """Nothing is held open."""


def _by_table(infos: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One info a table, as `SeatEnv` gives it, of a batch's."""
    columns = {"action_mask": infos["action_mask"]}
    columns |= {name: infos[name].tolist() for name in ("seat", "illegal_actions", "redeal")}
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def make_vec_env(kind: VecKind, num_envs: int, **settings: Any) -> VecEnv:
    """N tables of one kind, `settings` being those of `SeatEnv`: `native` is one batch, `dummy` N environments in turn,
    `subproc` N processes, each with an environment of its own."""
    if kind == "native":
        return SeatVecEnv(num_envs, **settings)
    if kind == "dummy":
        return DummyVecEnv([partial(SeatEnv, **settings)] * num_envs)
    return SubprocVecEnv([partial(_in_a_process, settings)] * num_envs)


def _in_a_process(settings: Mapping[str, Any]) -> SeatEnv:
    """An environment whose process leaves ctrl-C to the learner's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return SeatEnv(**settings)


def save_tables(env: VecEnv) -> dict[str, np.ndarray]:
    """The state of the tables of any kind: arrays of N rows by name."""
    if isinstance(env, SeatVecEnv):
        return env.tables.get_state()
    states = env.env_method("get_state")
    return {name: np.concatenate([state[name] for state in states]) for name in states[0]}


def restore_tables(env: VecEnv, state: Mapping[str, np.ndarray]) -> None:
    """Go back to what `save_tables` gave for as many tables of the same game, of whatever kind they were."""
    if isinstance(env, SeatVecEnv):
        env.tables.set_state(state)
        return
    for row in range(env.num_envs):
        env.env_method("set_state", {name: array[row : row + 1] for name, array in state.items()}, indices=row)
