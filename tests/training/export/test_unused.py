"""Entries of an observation without weights of 8 bits."""

from __future__ import annotations

import numpy as np
import pytest

from buck_env import LAYOUT, OBSERVATION_SIZE, PIECES, PROFILES
from buck_env.observation.pieces import usable
from training.export.unused import used_entries


@pytest.mark.parametrize("profile", PROFILES)
def test_weights_are_kept_for_what_the_rules_can_use(profile: str) -> None:
    rules = PROFILES[profile]
    expected = [LAYOUT[piece.name].start + np.flatnonzero(usable(piece, rules)) for piece in PIECES]
    used = used_entries(rules, "win")
    assert used.dtype == np.int32
    assert used.tolist() == np.concatenate(expected).tolist()


def test_a_network_that_plays_for_points_has_none_for_the_score() -> None:
    for rules in PROFILES.values():
        dropped = set(used_entries(rules, "win").tolist()) - set(used_entries(rules, "points").tolist())
        match = {entry for piece in PIECES if piece.of_match for entry in range(OBSERVATION_SIZE)[LAYOUT[piece.name]]}
        assert dropped == match & set(used_entries(rules, "win").tolist()) != set()
