"""Legal actions drawn evenly."""

from __future__ import annotations

import numpy as np
import pytest

from buck_env import (
    NUM_ACTIONS,
    BuckError,
    buck_euchre_v0,
)


def test_samples_are_even_legal_and_minus_one_where_nothing_is() -> None:
    env = buck_euchre_v0.vector_env(1, seed=5)
    masks = np.zeros((20_000, NUM_ACTIONS), np.int8)
    masks[:, [3, 17, 42]] = 1
    masks[0] = 0
    drawn = env.sample(masks)
    assert drawn[0] == -1
    counts = np.bincount(drawn[1:], minlength=NUM_ACTIONS)
    assert set(np.flatnonzero(counts)) == {3, 17, 42}
    expected = (len(masks) - 1) / 3
    assert ((counts[[3, 17, 42]] - expected) ** 2 / expected).sum() < 13.8, "chi-square, 2 degrees, 0.1%"
    assert (env.sample(masks) != drawn).any()
    with pytest.raises(BuckError, match="masks"):
        env.sample(np.ones((3, 7)))
