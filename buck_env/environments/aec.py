"""One table as a PettingZoo AEC environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import BaseWrapper, OrderEnforcingWrapper

from buck_env.base.arguments import takes
from buck_env.base.checks import whole_number
from buck_env.base.errors import BuckError, IllegalActionError
from buck_env.environments.asking import random_actions
from buck_env.environments.rendering import RENDER_FPS, RENDER_MODES, closed, rendered
from buck_env.environments.settings import EnvSettings, TableSettings
from buck_env.environments.spaces import action_space, checked_options, dict_space, observation_box
from buck_env.environments.tables import Tables
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.scoring import worst_points
from buck_env.observation.encode import encode_rows
from buck_env.observation.layout import OBSERVATION_SIZE
from buck_env.records.schema import HandRecord, MatchPlace

__all__ = ["env", "flat_env", "raw_env"]

_OPTIONS = ("hands", "rest", "dealer", "scores")


def env(**settings: Any) -> OrderEnforcingWrapper:
    """`raw_env` under OrderEnforcing, which takes an illegal action as `illegal_action` says.

    The arguments are the fields of `buck_env.environments.settings.EnvSettings`, which says what each is for.
    """
    chosen = EnvSettings(**settings)
    own = {each.name: getattr(chosen, each.name) for each in fields(TableSettings)}
    table = raw_env(**own)
    if chosen.illegal_action == "raise":
        return OrderEnforcingWrapper(table)
    lost = 1.0 if chosen.reward == "win" else -float(worst_points(table.rules))
    return _Tolerant(table, lost if chosen.illegal_action == "terminate" else None)


class _Tolerant(OrderEnforcingWrapper):
    """An illegal action ends the episode at a cost to its seat; where there is none, a random legal one is taken.

    It is OrderEnforcing too, in one wrapper: each wrapper more costs a tenth of the speed.
    """

    def __init__(self, env: raw_env, cost: float | None) -> None:
        super().__init__(env)
        self._cost = cost
        self._replaced: dict[str, int] = {}

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        super().reset(seed, options)
        self._replaced = dict.fromkeys(self.possible_agents, 0)
        if self._cost is None:
            self._count()

    def step(self, action: Any) -> None:
        """IllegalActionError, and nothing changes, where an action is no whole number."""
        try:
            super().step(action)
        except IllegalActionError:
            whole_number(action)
            if self._cost is not None:
                EnvLogger.warn_on_illegal_move()
                self.unwrapped.forfeit(self._cost)
            else:
                self._replaced[self.agent_selection] += 1
                self.unwrapped.step_randomly()
        if self._cost is None:
            self._count()

    def _count(self) -> None:
        """Say in the infos how many actions of each seat were replaced in this episode."""
        for agent, count in self._replaced.items():
            self.infos[agent]["illegal_actions"] = count

    def __str__(self) -> str:
        return str(self.env)


class raw_env(AECEnv):
    """Buck Euchre at one table.

    The arguments are the fields of `buck_env.environments.settings.TableSettings`, which says what each is for. An
    illegal action is an IllegalActionError.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "buck_euchre_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": RENDER_FPS,
    }

    @takes(TableSettings)
    def __init__(self, settings: TableSettings) -> None:
        super().__init__()
        self._dtype = settings.dtype
        self._mask_dtype = np.dtype(settings.mask_dtype)
        self._key = settings.observation_key
        self._shows_mask, self._informs = settings.mask_in != "info", settings.mask_in != "observation"
        self.render_mode = settings.render_mode
        self._tables = Tables(settings.rules, **settings.of_tables())
        self.rules = self._tables.rules
        self.viewer = settings.viewer
        if self.viewer is not None and self.viewer not in range(self.rules.seats):
            raise BuckError(f"viewer: {self.viewer!r} is no seat; allowed: 0 to {self.rules.seats - 1}, or None")
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {
            agent: dict_space(self._dtype, self._key, self._mask_dtype)
            if self._shows_mask
            else observation_box(self._dtype)
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: action_space() for agent in self.possible_agents}
        size = self.rules.seats * OBSERVATION_SIZE + 24
        self.state_space = spaces.Box(-128, 127, (size,), np.int8)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin an episode: with a seed the stream of deals starts over, without one it goes on.

        Options set up the first deal in record notation: `hands` by seat, `rest` top first, `dealer`, `scores`.
        RecordError names what is impossible.
        """
        if isinstance(options, Mapping):
            options = {key: value for key, value in options.items() if key != "options"}  # api_test's own key
        chosen = checked_options(options, _OPTIONS)
        self._deal(seed, chosen)
        self.agents = list(self.possible_agents)
        self._publish()

    def _deal(self, seed: int | None, options: Mapping[str, Any]) -> None:
        """Deal as the options say, or, where that is refused, leave everything as it was."""
        tables = self._tables
        before = tables.save() if options and tables.begun else None
        tables.reset(seed)
        if not options:
            return
        try:
            tables.set_up(0, **options)
        except BuckError:
            tables.begun = before is not None
            if before is not None:
                tables.restore(before)
            raise

    def step(self, action: Any) -> None:
        """Take an action of the seat to act; IllegalActionError, and nothing changes, where it is not legal."""
        if not self._tables.begun:
            raise BuckError("step: call reset first")
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._tables.step([whole_number(action)])
        self._publish()
        if self.render_mode == "human":
            self.render()

    def step_randomly(self) -> None:
        """Take a legal action, drawn evenly by the deal's own random numbers."""
        self._tables.step(random_actions(self._tables, np.zeros(1, np.int64)))
        self._publish()

    def forfeit(self, cost: float) -> None:
        """End the episode for all seats: the seat to act is charged `cost`, and the others get nothing."""
        self._tables.forfeit(0, cost)
        self._publish()

    def _publish(self) -> None:
        """Everything a client may read, off the table."""
        tables, agents = self._tables, self.possible_agents
        terminated, truncated, redeal, _ = tables.flags[0].tolist()
        self.agent_selection = agents[tables.seats[0]]
        self.rewards = dict(zip(agents, tables.rewards[0].tolist(), strict=True))
        self._cumulative_rewards = dict(zip(agents, tables.cumulative[0].tolist(), strict=True))
        self.terminations = dict.fromkeys(agents, terminated)
        self.truncations = dict.fromkeys(agents, truncated)
        self.infos = {agent: {"redeal": redeal} for agent in agents}
        if self._informs:
            for seat, agent in enumerate(agents):
                self.infos[agent]["action_mask"] = self._mask(seat)

    def _mask(self, seat: int) -> np.ndarray:
        """(A,): what a seat may do, nothing where it is not to act."""
        if self._tables.begun and seat == self._tables.seats[0]:
            return self._tables.masks[0].astype(self._mask_dtype)
        return np.zeros(NUM_ACTIONS, self._mask_dtype)

    def observe(self, agent: str) -> dict[str, np.ndarray] | np.ndarray:
        """The view of any seat at any time; the mask of a seat that is not to act is 0."""
        if agent not in self._seat_of:
            raise BuckError(f"observe: {agent!r} is no seat; allowed: {', '.join(self.possible_agents)}")
        seat = self._seat_of[agent]
        tables = self._tables
        if tables.begun and seat == tables.seats[0]:
            observation = tables.observations[0].astype(self._dtype)
        else:
            observation = tables.observe(seat)[0][0].astype(self._dtype, copy=False)
        return {self._key: observation, "action_mask": self._mask(seat)} if self._shows_mask else observation

    def state(self) -> np.ndarray:
        """Everything, suits as they are: each seat's view in turn, (S * D,), then for each card its place beside the
        hands, 1 for the top, 0 for none, (24,); int8."""
        tables = self._tables
        seats = self.rules.seats
        views = np.empty((seats, OBSERVATION_SIZE), np.int8)
        encode_rows(
            np.repeat(tables.tables, seats), tables.packed, np.arange(seats), False, views, np.empty(seats, np.int64)
        )
        places = np.zeros(24, np.int8)
        rest = tables.tables["rest"][0, : 24 - 5 * seats]
        places[rest] = np.arange(1, len(rest) + 1)
        return np.concatenate([views.ravel(), places])

    def record(self, *, finished: bool = False, match: MatchPlace | None = None) -> HandRecord:
        """The hand in progress, or the last finished one, as a hand record."""
        return self._tables.record(0, finished=finished, match=match)

    def render(self) -> str | np.ndarray | None:
        """Text, a picture, or a window, as `render_mode` says."""
        return rendered(self.render_mode, self._tables.tables, self.rules, self.viewer)

    def close(self) -> None:
        """Close the window, if there is one."""
        closed(self.render_mode)


class _Flat(BaseWrapper):
    """Observation and mask as one vector, for clients that cannot take a dict."""

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._flat_space

    def __init__(self, env: AECEnv) -> None:
        super().__init__(env)
        inner = env.observation_space(env.possible_agents[0])["observation"]
        size = OBSERVATION_SIZE + NUM_ACTIONS
        self._flat_space = spaces.Box(-128, 127, (size,), inner.dtype.type)

    def observe(self, agent: str) -> np.ndarray:
        seen = super().observe(agent)
        return np.concatenate([seen["observation"], seen["action_mask"].astype(seen["observation"].dtype)])


def flat_env(**settings: Any) -> _Flat:
    """`env` with observation and mask in one Box (D + A,): SuperSuit's vectors batch no dict observations."""
    for name in ("mask_in", "observation_key", "mask_dtype"):
        if name in settings:
            raise BuckError(f"{name}: flat_env puts observation and mask into one array; give {name} to env instead")
    return _Flat(env(**settings))
