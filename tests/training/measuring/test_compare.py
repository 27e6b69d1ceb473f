"""Two agents compared on duplicate deals."""

from __future__ import annotations

import pytest
from entrants import AnyLegal

from buck_env.game.rules import PROFILES
from training.measuring.compare import compare, edge, gain, lead


def test_random_against_random_is_about_even() -> None:
    found = compare(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2)
    assert found.edge.low < 0 < found.edge.high
    assert found.gain.low < 0 < found.gain.high
    assert found.edge.high - found.edge.low > 0.05
    assert edge(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2) == found.edge
    assert gain(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2) == found.gain


def test_a_lead_is_the_difference_of_two_gains_on_the_same_deals() -> None:
    rules = PROFILES["bucked-3"]
    x, z, y = AnyLegal(101.0), AnyLegal(7.0), AnyLegal()
    found = lead(rules, x, z, y, deals=230, seed=2, stream=5)
    gains = [gain(rules, agent, y, deals=230, seed=2, stream=5) for agent in (x, z)]
    assert found.mean == pytest.approx(gains[0].mean - gains[1].mean)
    assert found.low < found.mean < found.high
    assert lead(rules, x, z, y, deals=230, seed=2, stream=6) != found
    assert lead(rules, x, x, y, deals=230, seed=2).high == 0


def test_streams_of_a_seed_have_other_deals() -> None:
    rules = PROFILES["ohio"]
    first, second = (gain(rules, AnyLegal(101.0), AnyLegal(), deals=50, seed=2, stream=stream) for stream in (0, 1))
    assert first != second
