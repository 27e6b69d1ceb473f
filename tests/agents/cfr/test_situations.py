"""A situation names no suit and shows nothing that is hidden; its options are legal."""

from __future__ import annotations

import numpy as np
import pytest

from agents.cfr.phases import LEARNED
from agents.cfr.situations import situations_of
from buck_env.environments.tables import Tables
from buck_env.game.options import PHASES
from buck_env.observation.agent import RandomAgent
from buck_env.observation.views import Views


def decisions(rules: str) -> list[tuple[Views, np.ndarray]]:
    """Views of the learned phases in many hands played at random, and the tables that they are of."""
    tables, found = Tables(rules, 300, autoreset="same_step"), []
    tables.reset(4)
    for _ in range(10):
        learned = np.flatnonzero(np.isin(tables.tables["phase"], [PHASES.index(phase) for phase in LEARNED]))
        views = Views.of(tables.rules, tables.tables, tables.logs)
        if len(learned):
            found.append((views.take(learned), tables.tables[learned].copy()))
        tables.step(RandomAgent(tables.rules).act(views))
    return found


def spades_for_clubs(cards: np.ndarray) -> np.ndarray:
    """Sets of cards with C and S exchanged, and D and H."""
    return sum(((cards >> np.uint32(6 * suit)) & np.uint32(63)) << np.uint32(6 * (3 - suit)) for suit in range(4))  # type: ignore[return-value]


@pytest.mark.parametrize("rules", ["ohio", "dirty-clubs", "bucked", "cutthroat"])
def test_exchanging_the_suits_of_each_colour_changes_no_situation(rules: str) -> None:
    for views, _ in decisions(rules):
        situations, options = situations_of(views)
        assert (options > 0).all()
        assert not ((options[:, None] >> np.arange(43)) & 1 & (views.action_mask == 0)).any()
        other = views.tables.copy()
        other["hand"] = spades_for_clubs(other["hand"])
        shown = other["rest"] >= 0
        other["rest"][shown] = 6 * (3 - other["rest"][shown] // 6) + other["rest"][shown] % 6
        made = (other["trump"] >= 0) & (other["trump"] < 4)
        other["trump"][made] = 3 - other["trump"][made]
        again, _ = situations_of(Views(views.rules, other, views.seats, views.uniforms))
        assert (situations == again).all()


@pytest.mark.parametrize("rules", ["ohio", "dirty-clubs", "bucked", "cutthroat"])
def test_what_a_seat_does_not_see_changes_no_situation(rules: str) -> None:
    for views, tables in decisions(rules):
        whole = Views(views.rules, tables, views.seats, views.uniforms)
        assert (situations_of(views)[0] == situations_of(whole)[0]).all()
