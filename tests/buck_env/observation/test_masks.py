"""Masks: the legal set of 43 bits, an entry each."""

from __future__ import annotations

import numpy as np

from buck_env import NUM_ACTIONS
from buck_env.observation.labels import PLAIN, labels_with, relabelled_action
from buck_env.observation.masks import MASK_ROW, write_mask


def test_a_mask_has_a_1_for_each_legal_action_under_its_labels_and_0_elsewhere() -> None:
    rng = np.random.default_rng(1)
    for labels in (PLAIN, labels_with(1, 3), labels_with(2, 0)):
        for legal in (0, 1, 1 << NUM_ACTIONS - 1, (1 << NUM_ACTIONS) - 1, *rng.integers(0, 1 << NUM_ACTIONS, 50)):
            mask = np.full((2, NUM_ACTIONS), 9, np.int8)
            write_mask(int(legal), labels, mask.view(MASK_ROW), 1)
            actions = [action for action in range(NUM_ACTIONS) if int(legal) >> action & 1]
            assert (mask[0] == 9).all()
            assert set(np.flatnonzero(mask[1])) == {relabelled_action(action, labels) for action in actions}
            assert mask[1].sum() == len(actions)
