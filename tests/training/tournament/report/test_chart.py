"""The chart of how intervals narrowed."""

from __future__ import annotations

import pytest

from training.tournament.report.chart import Axis


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (0.0213, 0.0307, ["0.0213", "0.0307"]),
        (11_000, 19_000, ["11,000", "19,000"]),
        (50, 60, ["50", "60"]),
        (0.03, 0.3, ["0.05", "0.1", "0.2"]),
    ],
)
def test_an_axis_has_at_least_two_labels(low: float, high: float, labels: list[str]) -> None:
    ticks = Axis(low, high, 0, 100).ticks()
    assert [label for _, label in ticks] == labels
    assert all(0 <= at <= 100 for at, _ in ticks)
