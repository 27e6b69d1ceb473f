"""Suit augmentation: a decision with its suits by other names is that of the relabelled deal."""

from __future__ import annotations

import numpy as np
import pytest

from buck_env import ACTIONS, load_rules
from buck_env.environments.tables import Tables
from training.learning.augment import SuitAugmentation, symmetries
from training.learning.unseen_cards import UNSEEN_SIZE, write_unseen


@pytest.mark.parametrize(("rules", "count"), [("bucked", 8), ("cutthroat", 8), ("ohio", 2), ("dirty-clubs", 2)])
def test_the_symmetries_keep_colours_paired_and_clubs_where_a_rule_names_them(rules: str, count: int) -> None:
    found = symmetries(load_rules(rules))
    assert len(found) == count
    assert found[0] == (0, 1, 2, 3)
    assert all(names[3 - suit] == 3 - names[suit] for names in found for suit in range(4))


@pytest.mark.parametrize("rules", ["bucked", "cutthroat", "ohio"])
def test_an_augmented_decision_is_that_of_the_relabelled_deal(rules: str) -> None:
    house = load_rules(rules)
    augmentation = SuitAugmentation(house)
    tables, other = Tables(house, 1), Tables(house, 1)
    rng = np.random.default_rng(0)
    for k, names in enumerate(symmetries(house)):
        tables.reset(11)
        other.reset(11)
        pack = tables.logs["pack"][0]
        turned = [ACTIONS[6 * names[card // 6] + card % 6] for card in pack]
        other.set_up(
            0,
            hands=[turned[5 * seat : 5 * seat + 5] for seat in range(house.seats)],
            rest=turned[5 * house.seats :],
        )
        for _ in range(12):
            if tables.episodes["over"][0]:
                break
            assert np.array_equal(tables.observations[0][augmentation.observation[k]], other.observations[0])
            assert np.array_equal(tables.masks[0][augmentation.action[k]], other.masks[0])
            hidden = np.empty((2, UNSEEN_SIZE), np.int8)
            for i, one in enumerate((tables, other)):
                write_unseen(one.tables, house.seats, one.seats, one.labels, hidden[i : i + 1])
            assert np.array_equal(hidden[0][augmentation.unseen[k]], hidden[1])
            action = rng.choice(np.flatnonzero(tables.masks[0]))
            tables.step(np.array([action]))
            other.step(np.array([augmentation.to[k, action]]))
