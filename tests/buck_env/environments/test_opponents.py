"""Who plays the other seats."""

from __future__ import annotations

import pytest
from players import First

from buck_env import (
    BuckError,
)
from buck_env.environments.seat import SeatEnv


def test_opponents_by_name_by_object_and_one_each() -> None:
    SeatEnv(opponents=["random", First(), None]).reset(seed=0)
    SeatEnv(opponents="random").reset(seed=0)
    for wrong, said in (
        (["random"], "3 seats"),
        ([1, 2, 3], "no method"),
        ("nobody", "nobody"),
        (5, "no method"),
        (SeatEnv, "no method"),
    ):
        with pytest.raises(BuckError, match=said):
            SeatEnv(opponents=wrong)  # type: ignore[arg-type]
