"""Views: what a seat may not know is taken out of a table before an agent sees it."""

from __future__ import annotations

import numpy as np
from sights import positions, see

from buck_env import PROFILES
from buck_env.game.table import LOG, NONE
from buck_env.observation.views import Views


def test_views_hide_before_an_agent_sees() -> None:
    for _, _, table in positions(PROFILES["cutthroat"], "views", 5):
        if table["seat"][0] == NONE:
            continue
        seat = int(table["seat"][0])
        views = Views.of(PROFILES["cutthroat"], table, np.zeros(1, LOG))
        for other in range(3):
            assert (views.tables["hand"][0, other] != 0) == (other == seat) or table["hand"][0, other] == 0
        assert (views.observation[0] == see(table, PROFILES["cutthroat"], seat)[0]).all()
