"""What tricks are worth to each role, and what it prefers."""

from __future__ import annotations

import pytest

from agents.search.outcomes import MAKER, STAYER, outcomes_of
from buck_env import load_rules
from buck_env.game.rules import PROFILES


def test_points_are_those_of_the_score_card() -> None:
    points = outcomes_of(load_rules("dirty-clubs")).points
    assert points[STAYER].tolist() == [-5, 1, 2, 3, 4, 5]
    assert points[MAKER + 3].tolist() == [-5, -5, -5, 3, 4, 5]
    assert points[MAKER + 5].tolist() == [-5, -5, -5, -5, -5, 5]


def test_a_maker_who_can_no_longer_make_it_is_of_one_class_with_who_has_no_choice() -> None:
    found = outcomes_of(load_rules("dirty-clubs"))
    lost = found.kind[MAKER + 5, 0, 4]  # four tricks to play and none taken, of five
    assert found.rank[4, lost, :5].tolist() == [0, 0, 0, 0, 0]
    assert found.extremes[:, 4, lost].tolist() == [0, 0]
    alive = found.kind[MAKER + 3, 1, 3]  # two more of three tricks are needed
    assert found.rank[3, alive, :4].tolist() == [0, 0, 1, 2]
    assert found.extremes[:, 3, alive].tolist() == [2, 0]


@pytest.mark.parametrize("name", PROFILES)
def test_ranks_order_tricks_as_points_do(name: str) -> None:
    found = outcomes_of(PROFILES[name])
    for role, points in enumerate(found.points.tolist()):
        for taken in range(6):
            for to_play in range(6 - taken):
                ranks = found.rank[to_play, found.kind[role, taken, to_play], : to_play + 1].tolist()
                after = points[taken : taken + to_play + 1]
                assert ranks == [sorted(set(after)).index(value) for value in after]
