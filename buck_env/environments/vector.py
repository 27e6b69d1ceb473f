"""N tables at once, with the meaning of PettingZoo's AEC: each table waits for the action of its own seat to act."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from buck_env.base.arguments import takes
from buck_env.base.checks import checked_seed, is_whole
from buck_env.base.errors import BuckError
from buck_env.environments.sampling import sample_rows
from buck_env.environments.settings import VectorSettings
from buck_env.environments.spaces import action_space, chosen_tables, dict_space
from buck_env.environments.tables import Tables
from buck_env.game.actions import NUM_ACTIONS
from buck_env.records.schema import HandRecord, MatchPlace

__all__ = ["VectorAEC"]


class VectorAEC:
    """N tables of `raw_env`, stepped together; table i of seed s is the single environment of seed s + i.

    Shapes: N tables, S seats, A = 43 actions, D observation.

    The arguments are the fields of `buck_env.environments.settings.VectorSettings`, which says what each is for. No
    autoreset mode has dead steps; while an episode waits for its reset, the table's actions are ignored.
    """

    @takes(VectorSettings)
    def __init__(self, settings: VectorSettings) -> None:
        self.autoreset_mode = settings.autoreset_mode
        self._dtype = settings.dtype
        self._tables = Tables(
            settings.rules,
            settings.num_envs,
            **settings.of_tables(),
            autoreset=settings.autoreset_mode.name.lower(),  # type: ignore[arg-type]
            skip_forced=settings.skip_forced,
        )
        self.rules = self._tables.rules
        self.num_envs = self._tables.num_tables
        self.copy = settings.copy
        self.metadata: dict[str, Any] = {
            "name": "buck_euchre_v0",
            "autoreset_mode": settings.autoreset_mode,
            "render_modes": ["ansi"],
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(self.rules.seats)]
        self.agents = list(self.possible_agents)
        self.single_observation_space = dict_space(self._dtype)
        self.single_action_space = action_space()
        self.observation_space: spaces.Space[Any] = batch_space(self.single_observation_space, self.num_envs)
        self.action_space: spaces.Space[Any] = batch_space(self.single_action_space, self.num_envs)
        self._final: dict[str, np.ndarray] = {}
        self._sampler = _checked_sampler(settings.seed, 0)

    # --- Episodes ---

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a new episode at every table, or at those of ``options={"reset_mask": (N,) bool}``.

        With a seed table i's stream of deals starts over with seed + i; without one the streams go on.
        """
        self._tables.reset(seed, chosen_tables(options, self.num_envs))
        self._final = {}

    def step(self, actions: np.ndarray) -> None:
        """One action at every table, shape (N,), whole numbers; where an episode waits for its reset it is ignored.

        IllegalActionError names table, seat, phase and legal actions, and nothing changes at any table.
        """
        tables = self._tables
        ended = tables.step(actions)
        self._final = {}
        if ended and self.autoreset_mode is AutoresetMode.SAME_STEP:
            self._final = {
                "final_obs": self._typed(tables.final_views(ended)),
                "final_rewards": tables.final_rewards[tables.flags[:, 3]],
            }

    # --- What is seen ---

    @property
    def agent_selection(self) -> np.ndarray:
        """(N,) int64: the seat to act at each table; 0 where an episode is over."""
        return self._out(self._tables.seats)

    @property
    def rewards(self) -> np.ndarray:
        """(N, S) float32: the rewards of the last step, by seat."""
        return self._out(self._tables.rewards)

    @property
    def terminations(self) -> np.ndarray:
        """(N,) bool: the episode ended in the last step, or, unless it was dealt anew, before."""
        return self._out(self._tables.flags[:, 0])

    @property
    def truncations(self) -> np.ndarray:
        """(N,) bool: the same for an episode cut short by `max_hands`."""
        return self._out(self._tables.flags[:, 1])

    def last(
        self, observe: bool = True
    ) -> tuple[dict[str, np.ndarray] | None, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Views of the seats to act, what each has gathered since its last decision, ends, and infos.

        Returns:
            observation: ``observation`` (N, D) and ``action_mask`` (N, A), or None without `observe`;
            reward: (N,) float32. On the step that ends an episode it is what the seat now to act gathered in that
                episode; what every seat gathered is in `infos`;
            termination, truncation: (N,) bool;
            infos: ``action_mask`` (N, A), ``redeal`` (N,) bool: a hand ended in a redeal, ``_final_obs`` (N,) bool: the
                episode ended in the last step and was dealt anew, and where any was, for those K tables in order,
                ``final_obs`` (K, S, D): each seat's last view, ``final_rewards`` (K, S): what each gathered.
        """
        tables = self._tables
        mask = self._out(tables.masks)
        infos: dict[str, Any] = {
            "action_mask": mask,
            "redeal": self._out(tables.flags[:, 2]),
            "_final_obs": self._out(tables.flags[:, 3]) if self._final else np.zeros(self.num_envs, np.bool_),
            **self._final,
        }
        seen = None
        if observe:
            seen = {"observation": self._out(self._typed(tables.observations)), "action_mask": mask}
        return seen, self._out(tables.reward), self.terminations, self.truncations, infos

    def observe(self, seat: int | str) -> dict[str, np.ndarray]:
        """Views (N, D) of one seat, a number or its name, at all tables; masks (N, A) are 0 where it is not to act."""
        number = self.possible_agents.index(seat) if isinstance(seat, str) and seat in self.possible_agents else seat
        if not is_whole(number) or not 0 <= number < self.rules.seats:
            raise BuckError(
                f"observe: {seat!r} is no seat; allowed: {', '.join(self.possible_agents)}, or their numbers"
            )
        views, _ = self._tables.observe(int(number))
        acting = self._tables.seats == number
        return {"observation": self._typed(views), "action_mask": self._tables.masks * acting[:, None]}

    def sample(self, masks: np.ndarray | None = None) -> np.ndarray:
        """(N,) int64: a legal action of every row of masks (N, A), drawn evenly; -1 where nothing is legal.

        Masks are those of `last` by default. The draws follow from the sampler's seed and the number of the call.
        """
        masks = self._tables.masks if masks is None else np.asarray(masks)
        if masks.ndim != 2 or masks.shape[1] != NUM_ACTIONS or masks.dtype.kind not in "biu":
            raise BuckError(f"sample: masks (N, {NUM_ACTIONS}) of 0 and 1 are needed, not {masks.dtype} {masks.shape}")
        masks = np.ascontiguousarray(masks != 0, np.int8)
        actions = np.empty(len(masks), np.int64)
        seed, call = self._sampler
        sample_rows(masks, seed, call, actions)
        self._sampler = (seed, call + 1)
        return actions

    # --- State and records ---

    def get_state(self) -> dict[str, Any]:
        """A copy of the whole state; `set_state` goes back to it."""
        final = {name: array.copy() for name, array in self._final.items()}
        return {"tables": self._tables.save(), "final": final, "sampler": self._sampler}

    def set_state(self, state: Mapping[str, Any]) -> None:
        """Go back to a state of an environment of the same size and game; BuckError changes nothing."""
        if not isinstance(state, Mapping) or set(state) != {"tables", "final", "sampler"}:
            raise BuckError("state: needs tables, final and sampler, as get_state gives them")
        final = {name: np.array(array) for name, array in dict(state["final"]).items()}
        sampler = _checked_sampler(*state["sampler"])
        self._tables.restore(state["tables"])
        self._final, self._sampler = final, sampler

    def record(self, table: int, *, finished: bool = False, match: MatchPlace | None = None) -> HandRecord:
        """The hand in progress, or the last finished one, of one table as a hand record."""
        return self._tables.record(self._number(table), finished=finished, match=match)

    def render(self, table: int = 0, viewer: int | None = None) -> str:
        """One table as text, open or as a seat sees it."""
        return self._tables.text(self._number(table), viewer)

    def _number(self, table: Any) -> int:
        if not is_whole(table) or not 0 <= table < self.num_envs:
            raise BuckError(f"table: {table!r} is no table; allowed: 0 to {self.num_envs - 1}")
        return int(table)

    def close(self) -> None:
        """Nothing is held open."""

    def _out(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self.copy else array

    def _typed(self, observations: np.ndarray) -> np.ndarray:
        return observations.astype(self._dtype, copy=False)


def _checked_sampler(seed: Any, call: Any) -> tuple[int, int]:
    """The sampler's seed and the number of its next call."""
    return checked_seed(seed) or 0, checked_seed(call) or 0
