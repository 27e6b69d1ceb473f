"""What tricks are worth to rules-v1, at every score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from agents.rules_v1.stakes import CAUTION, FAR, NUM_STAKES, SWEEP, weigh_stakes, worth
from buck_env import Rules, load_rules
from buck_env.base.compiled import kernel
from buck_env.game.table import make_tables

CLUBS = load_rules("dirty-clubs")  # from 15 down to 0


@kernel
def _weigh(tables: Any, packed: Any, seat: int, stakes: Any) -> None:
    weigh_stakes(tables[0], packed[0], seat, stakes)


@kernel
def _worth(packed: Any, makes: bool, needs: int, tricks: int, stakes: Any) -> float:
    return worth(packed[0], makes, needs, tricks, stakes)


def stakes(scores: list[int], rules: Rules = CLUBS) -> Any:
    """Those of seat 0."""
    table = make_tables(1)
    table["scores"][0, : len(scores)] = scores
    found = np.zeros(NUM_STAKES)
    _weigh(table, rules.packed(), 0, found)
    return found


@pytest.mark.parametrize(
    ("scores", "far", "caution"),
    [
        ([15, 15, 15, 15], 15, 1.0),
        ([8, 4, 9, 9], 8, 1.0),  # the rival needs more than three
        ([8, 3, 9, 9], 8, 1 - 0.5 / 3),
        ([8, 1, 9, 9], 8, 1 - 0.5),
        ([1, 1, 9, 9], 1, 1.0),  # nobody is nearer than this seat
    ],
)
def test_who_is_about_to_lose_fears_a_penalty_less(scores: list[int], far: float, caution: float) -> None:
    found = stakes(scores)
    assert (found[FAR], found[CAUTION]) == pytest.approx((far, caution))


def test_where_no_target_ends_the_match_it_never_comes_near() -> None:
    found = stakes([14, 1, 9, 9], load_rules({"base": "dirty-clubs", "hands": 5}))
    assert (found[FAR], found[CAUTION]) == (1000, 1)


def test_tricks_are_worth_their_points_and_the_end_of_the_match_more() -> None:
    at = stakes([3, 15, 15, 15])
    packed = CLUBS.packed()
    assert _worth(packed, True, 2, 2, at) == 2
    assert _worth(packed, True, 2, 3, at) == 3 + 2  # it reaches the target
    assert _worth(packed, True, 3, 2, at) == -5
    assert _worth(packed, False, 1, 0, at) == -5
    at[CAUTION] = 0.5
    assert _worth(packed, True, 3, 2, at) == -2.5


def test_a_sweep_that_wins_the_match_is_worth_more_than_its_tricks() -> None:
    ohio = load_rules("ohio")
    at = stakes([25, 25, 25, 25], ohio)
    assert at[SWEEP] == 2
    assert _worth(ohio.packed(), True, 3, 5, at) == 5 + 2
    assert stakes([15, 15, 15, 15])[SWEEP] == 0
