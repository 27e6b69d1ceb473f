"""The tables of regret minimisation: rows, strategies, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from training.learning.cfr.tables import RegretTables, match_regrets, normalised


def test_regrets_are_matched_in_proportion_and_evenly_over_the_options_where_none_is_above_0() -> None:
    regrets = np.array([[3.0, 1.0, -5.0], [-1.0, -2.0, 0.0], [0.0, 0.0, 0.0]])
    found = match_regrets(regrets, np.array([3, 3, 2]))
    assert found.tolist() == [[0.75, 0.25, 0.0], [1 / 3, 1 / 3, 1 / 3], [0.5, 0.5, 0.0]]
    assert normalised(np.array([[2.0, 6.0]]), np.array([2])).tolist() == [[0.25, 0.75]]


def test_information_sets_get_rows_in_the_order_in_which_they_are_met_however_many_come() -> None:
    tables = RegretTables(2)
    assert tables.find(np.array([7, 5, 7]), np.array([2, 1, 2])).tolist() == [0, 1, 0]
    tables.regrets[0] = [1.0, -1.0]
    tables.strategies[1] = [4.0, 0.0]
    many = np.arange(10, 3010)
    assert tables.find(many, np.full(3000, 2)).tolist() == list(range(2, 3002))
    assert len(tables) == 3002
    assert tables.keys[:3].tolist() == [7, 5, 10]
    assert tables.counts[:3].tolist() == [2, 1, 2]
    assert tables.regrets[0].tolist() == [1.0, -1.0]
    assert tables.average()[:3].tolist() == [[0.5, 0.5], [1.0, 0.0], [0.5, 0.5]]


def test_tables_come_back_as_they_were_and_grow_on() -> None:
    tables = RegretTables(3)
    tables.find(np.array([9, 4]), np.array([3, 2]))
    tables.regrets[1] = [1.0, 2.0, 0.0]
    other = RegretTables(3)
    other.restore({name: array.copy() for name, array in tables.save().items()})
    assert other.find(np.array([4, 8]), np.array([2, 3])).tolist() == [1, 2]
    assert other.regrets.tolist() == [[0.0, 0.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]
    assert other.counts.tolist() == [3, 2, 3]


@pytest.mark.parametrize(
    "damage",
    [
        {"keys": np.array([9, 9])},
        {"counts": np.array([3])},
        {"regrets": np.zeros((2, 2))},
        {"strategies": np.zeros((1, 3))},
    ],
)
def test_tables_that_are_not_whole_are_refused(damage: dict[str, np.ndarray]) -> None:
    tables = RegretTables(3)
    tables.find(np.array([9, 4]), np.array([3, 2]))
    with pytest.raises(ValueError, match="not whole"):
        RegretTables(3).restore(tables.save() | damage)
