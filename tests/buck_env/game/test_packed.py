"""The rules as kernels read them."""

from __future__ import annotations

import pytest
from worked import house

from buck_env import PROFILES
from buck_env.game.options import Exchange, Making, Walkover


def test_numbers_and_switches_are_themselves() -> None:
    packed = house("bucked", hands=77_000, start=-300, target=900).packed()[0]
    assert (packed.hands, packed.start, packed.target, packed.toward) == (77_000, -300, 900, 1)
    assert (packed.seats, packed.may_drop, packed.turn_up, packed.no_trump) == (4, 1, 1, 0)
    assert PROFILES["ohio"].packed()[0].toward == -1


def test_an_option_is_the_number_of_its_enum() -> None:
    packed = PROFILES["cutthroat"].packed()[0]
    assert (packed.exchange, packed.making, packed.walkover) == (
        Exchange.FIRST.value,
        Making.BID.value,
        Walkover.TRICKS.value,
    )
    assert house("cutthroat", exchange="every").packed()[0].exchange == Exchange.EVERY.value


def test_what_is_absent_stands_for_none() -> None:
    """RULES §8.3, §12.5."""
    packed = house("bucked", hands=None, forced_stay=None).packed()[0]
    assert packed.hands == 0
    assert packed.forced_stay < -1_000_000_000  # no score is as low: records admit none
    assert PROFILES["dirty-clubs"].packed()[0].maker_needs == 0  # "bid"


@pytest.mark.parametrize("profile", PROFILES)
def test_all_profiles_share_one_record_so_that_kernels_are_compiled_once(profile: str) -> None:
    assert PROFILES[profile].packed().dtype == PROFILES["ohio"].packed().dtype
    assert PROFILES[profile].packed().shape == (1,)
