"""The arguments of the environments: each is declared, explained and checked once, for all environments that take it.

The arguments of an environment are the fields of its settings; those of the last class that the settings inherit from
come first. A check here needs no other argument: what the rules decide is checked where they are loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Literal

import numpy as np
from gymnasium.vector import AutoresetMode

from buck_env.base.arguments import CheckedFields, checked_field
from buck_env.base.checks import check_one_of, is_whole
from buck_env.base.errors import BuckError
from buck_env.environments.opponents import Opponents
from buck_env.environments.rendering import check_render_mode
from buck_env.game.house import RulesSource

__all__ = ["EnvSettings", "SeatSettings", "SeatVectorSettings", "TableSettings", "VectorSettings"]


def _one_of(name: str, *allowed: str) -> Callable[[object], None]:
    """The check of an argument that is one of these texts."""
    return lambda value: check_one_of(name, value, allowed)


def _check_observation_key(value: object) -> None:
    if not isinstance(value, str) or value == "action_mask":
        raise BuckError(f"observation_key: {value!r} is not allowed; allowed: a text other than action_mask")


def _check_max_episode_steps(value: object) -> None:
    if value is not None and (not is_whole(value) or value < 1):
        raise BuckError(f"max_episode_steps: {value!r} is not a whole number of at least 1, nor None for no limit")


def _check_autoreset_mode(value: object) -> None:
    if not isinstance(value, AutoresetMode):
        raise BuckError(f"autoreset_mode: {value!r} is not a gymnasium.vector.AutoresetMode")


@dataclass(frozen=True)
class _Batch(CheckedFields):
    num_envs: int = 1
    """N, the number of tables."""


@dataclass(frozen=True)
class _House(CheckedFields):
    rules: RulesSource = "ohio"
    """A profile's name, a YAML file, a mapping with a `base`, or a `Rules`."""


@dataclass(frozen=True)
class _Learner(CheckedFields):
    opponents: Opponents | None = None
    """Who plays the other seats: an agent or its name for all of them, or one each, clockwise from the learner's left;
    None: random players."""
    seat: int | None = None
    """The learner's seat; None: a new one each episode."""


@dataclass(frozen=True)
class _Episodes(CheckedFields):
    episode: Literal["hand", "match"] = "hand"
    """A "hand" ends when a deal is scored, a "match" when somebody has won."""
    reward: Literal["points", "win"] = "points"
    """The "points" toward the target, on the step that scores them, or, in matches, "win": the share of the match."""
    max_hands: int | None = 200
    """Deals after which a match is truncated for all seats together, redeals counted; None: never."""
    _: KW_ONLY
    canonical: bool = False
    """Whether suits are relabelled so that the trump comes first, in observations, masks and actions alike."""
    obs_dtype: Literal["int8", "float32"] = checked_field("int8", _one_of("obs_dtype", "int8", "float32"))
    """The type of observations."""

    @property
    def dtype(self) -> np.dtype:
        """The type of observations."""
        return np.dtype(self.obs_dtype)

    def of_tables(self) -> dict[str, Any]:
        """What `Tables` takes of these, by name."""
        names = ("episode", "reward", "max_hands", "canonical")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class _Cycles(_Episodes):
    _: KW_ONLY
    max_cycles: int | None = None
    """The same as `max_hands`, under the name that PettingZoo passes."""

    def of_tables(self) -> dict[str, Any]:
        given = super().of_tables()
        return given if self.max_cycles is None else {**given, "max_hands": self.max_cycles}


@dataclass(frozen=True)
class _Rendering(CheckedFields):
    _: KW_ONLY
    render_mode: str | None = checked_field(None, check_render_mode)
    """What `render` returns: "ansi" a text, "rgb_array" a picture, (H, W, 3) uint8; "human" opens a window."""


@dataclass(frozen=True)
class _Autoreset(CheckedFields):
    _: KW_ONLY
    autoreset_mode: AutoresetMode = checked_field(AutoresetMode.SAME_STEP, _check_autoreset_mode)  # noqa: RUF009 - a field
    """What happens where an episode ends.

    SAME_STEP deals the next one in the step that ends it, and `infos` holds the last views; NEXT_STEP shows the end,
    with a mask of ones, ignores the next action and deals then; DISABLED waits for `reset` with
    ``options={"reset_mask": mask}``.
    """


@dataclass(frozen=True)
class _Masking(CheckedFields):
    _: KW_ONLY
    mask_in: Literal["observation", "info", "both"] = checked_field(
        "observation", _one_of("mask_in", "observation", "info", "both")
    )
    """Where the mask of legal actions is: in the "observation", which is a dict with ``action_mask``; in the "info",
    ``infos[agent]["action_mask"]``, the observation being one array; or in "both", the observation being a dict."""
    observation_key: str = checked_field("observation", _check_observation_key)
    """The name of the observation in the dict; RLlib's own masking modules look for "observations"."""
    mask_dtype: Literal["int8", "float32"] = checked_field("int8", _one_of("mask_dtype", "int8", "float32"))
    """The type of masks."""


@dataclass(frozen=True)
class TableSettings(_Masking, _Rendering, _Cycles, _House):
    """The arguments of `buck_euchre_v0.raw_env`."""

    _: KW_ONLY
    viewer: int | None = None
    """The seat whose view is rendered; None shows all hands."""


@dataclass(frozen=True)
class EnvSettings(TableSettings):
    """The arguments of `buck_euchre_v0.env`."""

    _: KW_ONLY
    illegal_action: Literal["terminate", "raise", "random"] = checked_field(
        "terminate", _one_of("illegal_action", "terminate", "raise", "random")
    )
    """What an illegal action does.

    It may "terminate" the episode for all seats, as in PettingZoo's own games, and cost its seat the most that a hand
    can cost, or, with ``reward="win"``, 1; it may "raise" an IllegalActionError and change nothing; or a "random" legal
    action is taken instead and counted in ``infos[agent]["illegal_actions"]``.
    """


@dataclass(frozen=True)
class VectorSettings(_Autoreset, _Cycles, _House, _Batch):
    """The arguments of `buck_euchre_v0.vector_env`."""

    _: KW_ONLY
    skip_forced: bool = False
    """Whether decisions with one legal action are taken inside the step."""
    copy: bool = True
    """Whether `last`, `observe` and `rewards` return copies, or the arrays that the next step overwrites."""
    seed: int = 0
    """The sampler's seed; the deals follow `reset(seed=)`."""


@dataclass(frozen=True)
class SeatSettings(_Rendering, _Episodes, _Learner, _House):
    """The arguments of `SeatEnv`; a picture or a text shows the learner's view."""

    _: KW_ONLY
    illegal_action: Literal["raise", "random"] = checked_field("raise", _one_of("illegal_action", "raise", "random"))
    """Whether an illegal action is an IllegalActionError, or a "random" legal one is taken instead and counted in
    ``info["illegal_actions"]``."""


@dataclass(frozen=True)
class SeatVectorSettings(SeatSettings, _Autoreset, _Batch):
    """The arguments of `SeatVectorEnv`."""

    _: KW_ONLY
    autoreset_mode: AutoresetMode = checked_field(AutoresetMode.NEXT_STEP, _check_autoreset_mode)  # noqa: RUF009 - a field
    max_episode_steps: int | None = checked_field(None, _check_max_episode_steps)
    """Decisions of the learner's after which an episode is truncated; None: never."""
