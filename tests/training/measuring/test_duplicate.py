"""Rotations and seeds of duplicate deals."""

from __future__ import annotations

import numpy as np
import pytest

from training.measuring.duplicate import deal_seeds, edge_numerators, gain_numerators, own, rotations


def test_edge_and_gain_as_worked_by_hand() -> None:
    points = np.array([[4, 1, 1], [-5, 2, 0], [0, 3, -5]])  # x in seat 0, 1, 2
    without = np.array([1, 2, -5])
    assert own(points).tolist() == [4, 2, -5]
    assert edge_numerators(points) / 6 == pytest.approx(((4 - 1) + (2 + 2.5) + (-5 - 1.5)) / 3)
    assert gain_numerators(points, without) == 3 + 0 + 0
    both = np.stack([points, 2 * points])
    assert edge_numerators(both).tolist() == [edge_numerators(points), 2 * edge_numerators(points)]
    assert rotations(7, 1, 3).tolist() == [[7, 1, 1], [1, 7, 1], [1, 1, 7]]


def test_deals_of_one_seed_begin_alike_and_of_others_are_others() -> None:
    assert deal_seeds(3, 5).tolist() == deal_seeds(3, 9)[:5].tolist()
    assert np.diff(deal_seeds(3, 9)).tolist() == [1] * 8
    streams = [
        deal_seeds(0, 1000),
        deal_seeds(0, 1000, stream=1),
        deal_seeds(1, 1000),
        np.arange(1000, dtype=np.uint64),
    ]
    assert len(set(np.concatenate(streams).tolist())) == 4000
    assert max(map(max, streams)) < 2**63
