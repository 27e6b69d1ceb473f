"""Random numbers keyed by seed and deal."""

from __future__ import annotations

import numpy as np

from buck_env.game.shuffle import draw_dealer, draw_seats, philox, shuffle, uniform


def test_philox_gives_the_published_numbers() -> None:
    """Known answers of Random123 for philox4x32-10."""
    full = np.uint64(2**64 - 1)
    assert [f"{int(w):08x}" for w in philox(np.uint64(0), np.uint64(0), np.uint64(0))] == [
        "6627e8d5", "e169c58d", "bc57ac4c", "9b00dbd8",
    ]  # fmt: skip
    assert [f"{int(w):08x}" for w in philox(full, full, full)] == ["408f276d", "41c83b0e", "a20bc7c6", "6d5451fd"]


def dealt(seed: int, number: int) -> list[int]:
    pack = np.zeros(24, np.int8)
    shuffle(seed, number, pack)
    return pack.tolist()


def test_the_deals_of_a_seed_are_the_same_for_ever() -> None:
    """Runs, events and records of earlier versions deal again what they dealt."""
    assert dealt(0, 0) == [0, 6, 17, 14, 11, 5, 22, 4, 8, 1, 2, 7, 10, 19, 23, 3, 15, 21, 13, 18, 12, 16, 20, 9]
    far = [11, 18, 9, 3, 13, 21, 1, 19, 8, 10, 2, 22, 5, 14, 20, 17, 23, 16, 6, 15, 7, 12, 4, 0]
    assert dealt(2**62 + 5, 7) == far
    assert [draw_dealer(seed, 3, 4) for seed in range(12)] == [1, 1, 2, 2, 0, 1, 0, 2, 3, 0, 3, 3]


def test_every_deal_is_the_whole_pack_and_no_deal_is_another() -> None:
    """RULES §2.1."""
    packs = [dealt(seed, number) for seed in (0, 1, 2**62) for number in range(100)]
    assert all(sorted(pack) == list(range(24)) for pack in packs)
    assert len({tuple(pack) for pack in packs}) == len(packs)


def test_every_card_comes_to_every_place_equally_often() -> None:
    counts = np.zeros((24, 24))
    deals = 6000
    for number in range(deals):
        counts[range(24), dealt(1, number)] += 1
    chi_squared = ((counts - deals / 24) ** 2 / (deals / 24)).sum()
    assert 440 < chi_squared < 620  # 23 * 23 degrees of freedom: 529, standard deviation 33


def test_dealers_and_learners_seats_are_drawn_evenly_each_from_a_stream_of_its_own() -> None:
    """RULES §1.8."""
    seeds, numbers = np.arange(4000), np.zeros(4000, np.int64)
    for seats in (3, 4):
        learners = np.zeros(4000, np.int64)
        draw_seats(seeds, numbers, seats, learners)
        dealers = np.array([draw_dealer(seed, 0, seats) for seed in range(4000)])
        pairs = np.bincount(seats * dealers + learners, minlength=seats * seats)
        assert len(pairs) == seats * seats
        assert abs(pairs - 4000 / seats**2).max() < 5 * np.sqrt(4000 / seats**2)


def test_the_number_of_a_decision_is_uniform_in_0_to_1_and_its_own() -> None:
    drawn = np.array([uniform(3, number, step) for number in range(40) for step in range(50)])
    assert len(set(drawn.tolist())) == len(drawn)
    assert drawn.min() >= 0
    assert drawn.max() < 1
    assert abs(np.bincount((10 * drawn).astype(int)) - 200).max() < 5 * np.sqrt(200)
