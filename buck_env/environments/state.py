"""What an environment keeps of a table beside the hand: its options, its episode, and what its last step left."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from buck_env.base.checks import check_one_of, is_whole
from buck_env.base.errors import BuckError

__all__ = ["EPISODE", "FLAGS", "SETTINGS", "TURN", "Autoreset", "settings_of"]


class Autoreset(IntEnum):
    """When the next episode is dealt at a table whose episode has ended."""

    SAME_STEP = 0
    NEXT_STEP = 1
    DISABLED = 2


SETTINGS = np.dtype(
    (
        np.record,
        [
            ("max_hands", "i4"),  # deals after which a match is truncated; 0 never
            ("match", "i1"),  # an episode is a match, else a hand
            ("win", "i1"),  # the reward is the share of the match won, else points toward the target
            ("autoreset", "i1"),  # Autoreset
            ("skip_forced", "i1"),  # decisions with one legal action are taken inside the step
            ("canonical", "i1"),  # suits are relabelled
        ],
    )
)
"""The options of all tables of an environment."""

EPISODE = np.dtype(
    (
        np.record,
        [
            ("seed", "u8"),
            ("deals", "i8"),  # deals of this seed so far: the number of the next one
            ("hands", "i4"),  # deals in this episode so far
            ("first_dealer", "i1"),
            ("over", "i1"),  # the episode has ended and waits for a reset
            ("_pad", "i1", 2),
        ],
    )
)
"""Where one table is in its stream of deals."""

TURN = np.dtype(
    (
        np.record,
        [
            ("permitted", "i8"),  # the actions that the seat to act may take, suits as they are, a bit each
            ("labels", "i8"),  # the suit labels of its view
            ("seat", "i8"),  # the seat to act; 0 where the episode is over
            ("rewards", "f4", 4),  # of the last step, by seat
            ("cumulative", "f4", 4),  # since each seat's last decision
            ("reward", "f4"),  # of these, as the last step ended, that of the seat to act
            ("terminated", "?"),
            ("truncated", "?"),
            ("redeal", "?"),  # a hand ended in a redeal
            ("ended", "?"),  # the episode ended in the last step
        ],
    )
)
"""What the last step left at one table, and who decides next: 64 bytes, a line of the cache."""

FLAGS = ["terminated", "truncated", "redeal", "ended"]
"""The fields of TURN that `Tables.flags` shows side by side."""


def settings_of(
    *, episode: str, reward: str, max_hands: int | None, canonical: bool, autoreset: str, skip_forced: bool
) -> np.ndarray:
    """The options of an environment as SETTINGS, shape (1,); BuckError names the first that is not allowed."""
    check_one_of("episode", episode, ("hand", "match"))
    check_one_of("reward", reward, ("points", "win"))
    check_one_of("autoreset", autoreset, [mode.name.lower() for mode in Autoreset])
    if reward == "win" and episode == "hand":
        raise BuckError("reward: 'win' is the share of a match won; with episode='hand' use reward='points'")
    for name, value in (("canonical", canonical), ("skip_forced", skip_forced)):
        if not isinstance(value, bool | np.bool_):
            raise BuckError(f"{name}: {value!r} is not allowed; allowed: True, False")
    if max_hands is not None and (not is_whole(max_hands) or not 1 <= max_hands < 2**31):
        raise BuckError(f"max_hands: {max_hands!r} is not a whole number of at least 1, nor None for no limit")
    settings = np.zeros(1, SETTINGS)
    settings["max_hands"] = (max_hands or 0) if episode == "match" else 0
    settings["match"] = episode == "match"
    settings["win"] = reward == "win"
    settings["autoreset"] = Autoreset[autoreset.upper()]
    settings["skip_forced"] = skip_forced
    settings["canonical"] = canonical
    return settings
