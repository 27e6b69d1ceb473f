"""Choosing holdings to rate: the likely ones come sooner, and each counts by how likely it was to be chosen."""

from __future__ import annotations

import numpy as np
import pytest

from agents.beliefs.chance import CHANCE, open_chance
from agents.beliefs.choosing import choose_likely, shares_of, sizes_for
from agents.beliefs.holdings import HOLDING


def hands(generator: np.random.Generator, number: int) -> np.ndarray:
    """Hands of 5 of 18 cards, (K,) HOLDING."""
    held = np.zeros(number, HOLDING)
    cards = np.argsort(generator.random((number, 18)), axis=1)[:, :5]
    held["used"] = (1 << cards).sum(axis=1)
    return held


def likelihoods(holdings: np.ndarray) -> np.ndarray:
    """As of a seat that names trump with most of the first six cards, else seldom."""
    return np.where((holdings["used"][:, None] >> np.arange(6) & 1).sum(axis=1) >= 3, 0.9, 0.05)


def test_rated_holdings_stand_for_all_and_more_of_the_likely_ones_are_rated() -> None:
    generator, sizes = np.random.default_rng(1), sizes_for(64)
    truth = likelihoods(hands(generator, 200_000)).mean()
    found, chosen_share = [], []
    for number in range(200):
        chances = np.empty(1, CHANCE)
        open_chance(chances[0], number, 0)
        pilot, pool = np.split(hands(generator, sizes.pool), [sizes.pilot])
        odds = np.empty(sizes.pool)
        chosen = choose_likely(pilot, np.log(likelihoods(pilot)), pool, sizes.chosen, chances, odds)
        assert abs(chosen - sizes.chosen) <= 1
        rated = likelihoods(np.concatenate([pilot, pool[:chosen]]))
        found.append((rated / odds[: len(rated)]).sum())
        chosen_share.append((likelihoods(pool[:chosen]) > 0.5).mean())
    # the guess fits the pilot it was learned from a little too well, which costs its likely holdings some weight
    assert abs(np.mean(found) / truth - 1) < 0.06
    assert np.mean(chosen_share) > 2 * (truth - 0.05) / 0.85


def test_a_seat_of_whose_holdings_few_are_likely_gets_more() -> None:
    even, steep = np.zeros(64), np.linspace(-20, 0, 64)
    less, more = shares_of([even, steep], 100)
    assert more > 2 * less
    assert less + more == pytest.approx(200, abs=2)
