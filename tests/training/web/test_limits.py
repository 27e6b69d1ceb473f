"""How often an address may ask."""

from __future__ import annotations

from training.web.limits import Rates


def test_a_bucket_holds_a_second_and_refills_steadily() -> None:
    now = [0.0]
    rates = Rates(2, clock=lambda: now[0])
    assert [rates.allows("a") for _ in range(3)] == [True, True, False]
    assert rates.allows("b")
    now[0] = 0.5
    assert [rates.allows("a") for _ in range(2)] == [True, False]


def test_no_rate_is_no_limit() -> None:
    rates = Rates(0)
    assert all(rates.allows("a") for _ in range(1000))
