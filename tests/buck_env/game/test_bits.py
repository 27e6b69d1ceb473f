"""Sets as bits, and seats clockwise."""

from __future__ import annotations

import random

import pytest

from buck_env import PROFILES
from buck_env.game.bits import count, left, next_in, only


def test_count_is_the_number_of_members_of_any_set() -> None:
    rng = random.Random(1)
    for size in (4, 24, 43):
        for members in (0, 1, (1 << size) - 1, *(rng.getrandbits(size) for _ in range(200))):
            assert count(members) == members.bit_count()


def test_only_is_the_one_member_of_a_set() -> None:
    assert [only(1 << member) for member in range(43)] == list(range(43))


@pytest.mark.parametrize("profile", ["ohio", "cutthroat"])
def test_seats_go_round_clockwise_past_those_that_are_out(profile: str) -> None:
    """RULES §1.7, §9.4."""
    packed = PROFILES[profile].packed()[0]
    seats = PROFILES[profile].seats
    for seat in range(seats):
        assert left(seat, packed, 1) == (seat + 1) % seats
        assert next_in(seat, packed, 1 << (seat + 1) % seats) == (seat + 2) % seats
