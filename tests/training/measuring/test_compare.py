"""Two agents compared on duplicate deals."""

from __future__ import annotations

from entrants import AnyLegal

from buck_env.game.rules import PROFILES
from training.measuring.compare import compare, edge, gain


def test_random_against_random_is_about_even() -> None:
    found = compare(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2)
    assert found.edge.low < 0 < found.edge.high
    assert found.gain.low < 0 < found.gain.high
    assert found.edge.high - found.edge.low > 0.05
    assert edge(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2) == found.edge
    assert gain(PROFILES["ohio"], AnyLegal(101.0), AnyLegal(), deals=1000, seed=2) == found.gain
