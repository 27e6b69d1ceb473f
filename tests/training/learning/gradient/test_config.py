"""What a run by the all-action gradient may be."""

from __future__ import annotations

from typing import Any

import pytest

from training.learning.gradient.config import GradientConfig


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"opponents": []}, "opponents: .* is not allowed; allowed: at least one unless opponent_share is 0"),
        (
            {"opponents": ["random"], "opponent_share": 0.0},
            "opponents: .* is not allowed; allowed: none where opponent_share is 0",
        ),
        (
            {"opponents": [], "snapshots": 1, "opponent_share": 0.0},
            "opponent_share: 0.0 is not allowed; allowed: above 0 where there are snapshots",
        ),
        ({"gradient": 0.0}, "gradient: 0.0 is not allowed; allowed: above 0 where distance is 0"),
        ({"device": "cuda"}, "device: 'cuda' is not allowed; allowed: cpu"),
    ],
)
def test_settings_that_contradict_each_other_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GradientConfig(**changes)


def test_references_and_opponents_both_take_part() -> None:
    assert GradientConfig(references=["random"], opponents=["rules-v1"]).agents == ["random", "rules-v1"]
