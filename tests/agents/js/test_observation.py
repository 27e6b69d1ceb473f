"""Observations and positions in JavaScript: every byte and every key as Python has them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from houses import HOUSES
from javascript.node import needs_node, run_node
from javascript.random_hands import positions_of, random_views

from buck_env import PROFILES, Rules
from buck_env.game.cards import SUITS

pytestmark = needs_node

ENCODE = """
const seen = (position, canonical) => {
  const { observation, mask, suits } = buck.encode(position, { canonical });
  return [[...observation], [...mask], suits];
};
answer(given.map((position) => [seen(position, false), seen(position, true)]));
"""


def differing(folder: Path, rules: Rules, count: int, seed: int) -> int:
    """The views whose observation, mask or suits JavaScript writes otherwise."""
    views = random_views(rules, count, seed)
    observation, mask, labels = views.canonical
    found = run_node(folder, ENCODE, positions_of(views))
    wrong = 0
    for row, ((plain, plain_mask, _), (canonical, canonical_mask, suits)) in enumerate(found):
        wrong += not (
            np.array_equal(plain, views.observation[row])
            and np.array_equal(plain_mask, views.action_mask[row])
            and np.array_equal(canonical, observation[row])
            and np.array_equal(canonical_mask, mask[row])
            and suits == "".join(SUITS[labels[row] >> 3 * suit & 7] for suit in range(4))
        )
    return wrong


@pytest.mark.parametrize("rules", HOUSES[:13], ids=lambda rules: rules.name)
def test_every_byte_of_an_observation_is_python_s(rules: Rules, tmp_path: Path) -> None:
    assert differing(tmp_path, rules, 300, seed=4) == 0


@pytest.mark.soak
@pytest.mark.parametrize("profile", PROFILES)
def test_every_byte_of_10000_observations_is_python_s(profile: str, tmp_path: Path) -> None:
    for seed in range(5):
        assert differing(tmp_path, PROFILES[profile], 2000, seed=500 + seed) == 0
