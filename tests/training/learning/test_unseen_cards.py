"""What the oracle critic sees beside an observation."""

from __future__ import annotations

import numpy as np
import pytest

from buck_env import LAYOUT, OBSERVATION_SIZE, PROFILES, Rules
from buck_env.environments.tables import Tables
from buck_env.observation.encode import encode_rows
from training.learning.unseen_cards import UNSEEN_SIZE, write_unseen


@pytest.mark.parametrize("rules", PROFILES.values(), ids=lambda rules: rules.name)
def test_unseen_cards_are_the_others_hands_and_the_rest_and_the_view_is_not_changed_by_them(rules: Rules) -> None:
    tables = Tables(rules, 16)
    tables.reset(1)
    viewers = tables.seats.copy()
    labels = np.zeros(16, np.int64)
    seen = np.empty((16, OBSERVATION_SIZE), np.int8)
    encode_rows(tables.tables, rules.packed(), viewers, False, seen, labels)
    unseen = np.empty((16, UNSEEN_SIZE), np.int8)
    write_unseen(tables.tables, rules.seats, viewers, labels, unseen)
    everything = unseen.reshape(16, 4, 24).sum(axis=1) + seen[:, LAYOUT["hand"]]
    if rules.making != "dealer":  # there the dealer has taken the buck up
        assert (everything == 1).all()
    assert (everything >= 1).all()
