"""Agents whose answers are none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from buck_env import (
    IllegalActionError,
)
from buck_env.environments.seat import SeatEnv
from buck_env.observation.views import Views


class Cheat:
    def act(self, views: Views) -> np.ndarray:
        return np.full(len(views), 40)


class Wrong:
    def act(self, views: Views) -> Any:
        return ["pass"] * len(views)


@pytest.mark.parametrize("opponent", [Cheat(), Wrong()])
def test_an_opponent_that_errs_is_told(opponent: Any) -> None:
    with pytest.raises(IllegalActionError):
        SeatEnv(opponents=opponent, seat=3).reset(seed=0)


def test_an_opponents_illegal_answer_tells_the_learner_nothing_of_its_hand() -> None:
    with pytest.raises(IllegalActionError, match=r"^Cheat: seat \d answered with an action that is not legal in \w+$"):
        SeatEnv(opponents=Cheat(), seat=3).reset(seed=0)
