"""Holdings drawn together: of few and of many unseen cards, as often as their chances say."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import chisquare

from agents.beliefs.chance import CHANCE, open_chance
from agents.beliefs.joint import draw_together


@pytest.mark.parametrize(("unseen", "held"), [(12, 3), (20, 4)])
def test_holdings_are_drawn_by_the_product_of_their_chances(unseen: int, held: int) -> None:
    generator = np.random.default_rng(unseen)
    used = np.zeros((3, 60), np.int64)
    for seat, i in product(range(3), range(60)):
        used[seat, i] = (1 << generator.permutation(unseen)[:held]).sum()
    weights, numbers = generator.random((3, 60)), np.array([9, 50, 60])
    expected = {
        (i, j, k): weights[0, i] * weights[1, j] * weights[2, k]
        for i, j, k in product(*map(range, numbers))
        if not used[0, i] & used[1, j] and not (used[0, i] | used[1, j]) & used[2, k]
    }
    assert len(expected) >= 20
    chances, drawn = np.empty(1, CHANCE), np.empty((20_000, 3), np.int64)
    open_chance(chances[0], 5, 0)
    assert draw_together(used, weights, numbers, (1 << unseen) - 1, chances[0], drawn)
    found = dict.fromkeys(expected, 0)
    for i, j, k in drawn.tolist():
        found[i, j, k] += 1
    share = np.array(list(expected.values())) / sum(expected.values())
    often = share * len(drawn) >= 5
    counts = np.array(list(found.values()))
    observed = [*counts[often], counts[~often].sum()]
    hoped = [*(share[often] * len(drawn)), share[~often].sum() * len(drawn)]
    if hoped[-1] < 5:  # too few to be told apart: they go with the last of the others
        observed[-2:], hoped[-2:] = [sum(observed[-2:])], [sum(hoped[-2:])]
    assert chisquare(observed, hoped).pvalue > 1e-3


def test_holdings_of_the_same_cards_do_not_fit_together() -> None:
    used = np.full((3, 1), 0b1111)
    chances, drawn = np.empty(1, CHANCE), np.empty((3, 3), np.int64)
    open_chance(chances[0], 5, 0)
    assert not draw_together(used, np.ones((3, 1)), np.ones(3, np.int64), (1 << 20) - 1, chances[0], drawn)
