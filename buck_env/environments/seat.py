"""One learning seat as a Gymnasium environment, single and batched; agents play the other seats inside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from buck_env.base.arguments import takes
from buck_env.base.checks import checked_seed, whole_number
from buck_env.base.errors import BuckError
from buck_env.environments.opponents import named_players
from buck_env.environments.registration import load_by_name
from buck_env.environments.rendering import RENDER_FPS, RENDER_MODES, closed, drawn, rendered
from buck_env.environments.settings import SeatSettings, SeatVectorSettings
from buck_env.environments.solo import Solo
from buck_env.environments.spaces import action_space, checked_options, chosen_tables, observation_box
from buck_env.game.house import load_rules
from buck_env.records.schema import HandRecord, MatchPlace

__all__ = ["SeatEnv", "SeatVectorEnv"]


class _OneSeat:
    """What the single and the batched environment share: the learner's view, the infos and the state."""

    _solo: Solo
    _dtype: np.dtype

    def _sit(self, num_envs: int, settings: SeatSettings) -> None:
        self._dtype = settings.dtype
        rules = load_rules(settings.rules)
        self._solo = Solo(
            num_envs,
            rules,
            named_players(settings.opponents, rules, load_by_name),
            settings.seat,
            settings.illegal_action,
            **settings.of_tables(),
        )

    def _observations(self) -> np.ndarray:
        """(N, D): the learner's view at each table, also where its episode is over."""
        tables = self._solo.tables
        views = tables.observations.copy()
        rows = np.flatnonzero(self._solo.over)
        if len(rows):
            views[rows] = tables.observe(self._solo.own[rows], tables.tables[rows])[0]
        return views.astype(self._dtype, copy=False)

    def _rows_of_infos(self) -> dict[str, np.ndarray]:
        """Legal actions (N, A), the learner's seat, its replaced illegal actions, and whether a hand was redealt."""
        solo = self._solo
        return {
            "action_mask": self._masks(),
            "seat": solo.own.copy(),
            "illegal_actions": solo.illegal.copy(),
            "redeal": solo.tables.flags[:, 2].copy(),
        }

    def _masks(self) -> np.ndarray:
        """(N, A) int8: the legal actions of each learner."""
        return self._solo.tables.masks.copy()

    def get_state(self) -> dict[str, np.ndarray]:
        """A copy of the whole state, arrays of a row a table; `set_state` goes back to it."""
        return self._solo.save()

    def set_state(self, state: Mapping[str, np.ndarray]) -> None:
        """Go back to a state of an environment of the same size and game; BuckError changes nothing."""
        self._solo.restore(state)


class SeatEnv(_OneSeat, gymnasium.Env[np.ndarray, int]):
    """Buck Euchre for one learner: `BuckEuchre-v0`.

    The arguments are the fields of `buck_env.environments.settings.SeatSettings`, which says what each is for.
    """

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS}  # noqa: RUF012 - as Gymnasium declares it

    @takes(SeatSettings)
    def __init__(self, settings: SeatSettings) -> None:
        self._sit(1, settings)
        self.render_mode = settings.render_mode
        self.rules = self._solo.tables.rules
        self.observation_space = observation_box(self._dtype)
        self.action_space = action_space()  # type: ignore[assignment]

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin an episode and play on to the learner's first decision; a seed starts the stream of deals over."""
        super().reset(seed=checked_seed(seed))
        checked_options(options, [])
        self._solo.reset(seed, np.ones(1, np.bool_))
        return self._observations()[0], self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """The learner's action, and everybody's up to its next decision; the reward is all it gathered meanwhile."""
        if self._solo.over[0]:
            raise BuckError("step: no episode is going on; call reset first")
        self._solo.step([whole_number(action)])
        terminated, truncated = self._solo.tables.flags[0, :2].tolist()
        if self.render_mode == "human":
            self.render()
        return self._observations()[0], float(self._solo.reward[0]), terminated, truncated, self._info()

    def action_masks(self) -> np.ndarray:
        """(A,) bool: the legal actions."""
        return self._masks()[0].astype(np.bool_)

    def record(self, *, finished: bool = False, match: MatchPlace | None = None) -> HandRecord:
        """The hand in progress, or the last finished one, as a hand record."""
        return self._solo.tables.record(0, finished=finished, match=match)

    def render(self) -> Any:
        """The learner's view as text, a picture, or in a window."""
        return rendered(self.render_mode, self._solo.tables.tables, self.rules, int(self._solo.own[0]))

    def close(self) -> None:
        """Close the window, if there is one."""
        closed(self.render_mode)

    def _info(self) -> dict[str, Any]:
        rows = {key: array[0] for key, array in self._rows_of_infos().items()}
        return {key: row if row.ndim else row.item() for key, row in rows.items()}


class SeatVectorEnv(_OneSeat, gymnasium.vector.VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """N tables of `SeatEnv` stepped together; table i of seed s is the single environment of seed s + i.

    The arguments are the fields of `buck_env.environments.settings.SeatVectorSettings`.
    """

    @takes(SeatVectorSettings)
    def __init__(self, settings: SeatVectorSettings) -> None:
        super().__init__()
        self._sit(settings.num_envs, settings)
        self._autoreset = settings.autoreset_mode
        self._max_steps = settings.max_episode_steps or np.iinfo(np.int64).max
        self.render_mode = settings.render_mode
        self.rules = self._solo.tables.rules
        self.num_envs = settings.num_envs
        self.metadata = {"render_modes": RENDER_MODES, "render_fps": RENDER_FPS, "autoreset_mode": self._autoreset}
        self.single_observation_space = observation_box(self._dtype)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin episodes at all tables, or at those of ``options={"reset_mask": (N,) bool}``."""
        super().reset(seed=checked_seed(seed))
        self._solo.reset(seed, chosen_tables(options, self.num_envs))
        return self._observations(), self._infos()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """The learner's action at every table, and everybody's up to its next decision there."""
        solo = self._solo
        waiting = solo.over.copy()
        if waiting.any() and self._autoreset is AutoresetMode.DISABLED:
            rows = ", ".join(map(str, np.flatnonzero(waiting)[:5]))
            raise BuckError(
                f"step: the episodes of tables {rows} are over; reset them with options={{'reset_mask': …}}"
            )
        solo.step(actions)
        rewards = np.where(waiting, np.float32(0), solo.reward)
        ends = solo.tables.flags[:, :2] & ~waiting[:, None]
        late = (solo.decisions >= self._max_steps) & ~solo.over
        if late.any():
            ends[late, 1] = True
            solo.tables.stop(late)
        infos: dict[str, Any] = {}
        if waiting.any():
            solo.reset(None, waiting)
        if self._autoreset is AutoresetMode.SAME_STEP and ends.any():
            ended = ends.any(axis=1)
            infos = self._final(ended)
            solo.reset(None, ended)
        return self._observations(), rewards, ends[:, 0].copy(), ends[:, 1].copy(), {**self._infos(), **infos}

    def _final(self, ended: np.ndarray) -> dict[str, Any]:
        """Last observations and infos, as Gymnasium's vectors give them."""
        observations, infos = self._observations(), self._infos()
        final_obs = np.full(self.num_envs, None, object)
        for row in np.flatnonzero(ended):
            final_obs[row] = observations[row]
        return {"final_obs": final_obs, "_final_obs": ended, "final_info": infos, "_final_info": ended}

    def action_masks(self) -> np.ndarray:
        """(N, A) bool: the legal actions."""
        return self._masks().astype(np.bool_)

    def _masks(self) -> np.ndarray:
        masks = super()._masks()
        if self._autoreset is AutoresetMode.NEXT_STEP:
            masks[self._solo.over] = 1  # the next step deals, whatever the action
        return masks

    def _infos(self) -> dict[str, Any]:
        infos = self._rows_of_infos()
        everywhere = np.ones(self.num_envs, np.bool_)
        return {**infos, **{f"_{key}": everywhere for key in infos}}

    def render(self) -> tuple[Any, ...] | None:
        """Each learner's view, as text or a picture."""
        mode = self.render_mode
        if mode is None:
            return None
        tables, own = self._solo.tables.tables, self._solo.own
        return tuple(drawn(mode, tables[i : i + 1], self.rules, int(own[i])) for i in range(self.num_envs))
