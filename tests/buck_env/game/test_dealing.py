"""The deal and the exchange, on both engines."""

from __future__ import annotations

import numpy as np
import pytest
from worked import SUITS, TAKES_4, deal, house, play, run

from buck_env import PROFILES
from buck_env.game import engine
from buck_env.game.cards import mask_of
from buck_env.game.table import NONE, make_tables
from buck_env.records import deal_table

pytestmark = pytest.mark.usefixtures("both_engines")


def test_first_taker_ends_the_exchange() -> None:
    """RULES §2.5, §4.1."""
    hand = run(deal(PROFILES["cutthroat"], TAKES_4, "JH JD JC 9H 9C", dealer=1), "0:keep 1:exchange")
    assert hand.phase == "bid"
    assert set(hand.hands[1]) == {"JH", "JD", "JC", "9H", "9C"}


def test_exchange_every_passes_the_laid_down_hand_on() -> None:
    """RULES §4.2, §4.3."""
    hand = deal(house("cutthroat", exchange="every"), TAKES_4, "JH JD JC 9H 9C", dealer=1)
    run(hand, "0:exchange 1:keep 2:exchange 2:bid:2 0:pass 1:pass 2:name:H 0:stay 1:stay")
    # Seat 0 took the widow and laid down its four-trick hand, which seat 2 took.
    assert hand.legal() == ["play:9D", "play:AC", "play:AH", "play:KH", "play:QH"]
    play(hand, "2:AH")
    assert hand.legal() == ["play:9H", "play:JD", "play:JH"]
    # Both bowers are seat 0's: two tricks; AC and KH are seat 2's; the last diamond is won by seat 1.
    play(hand, "0:JH 1:9S  0:JD 1:TS 2:QH  0:9C 1:TC 2:AC  2:KH 0:9H 1:KD  2:9D 0:JC 1:AD")
    assert hand.result()["tricks"] == [2, 1, 2]
    assert hand.result()["deltas"] == [-2, -1, -2]


def test_exchange_every_asks_each_seat_once() -> None:
    """RULES §4.2."""
    hand = run(deal(house("cutthroat", exchange="every"), TAKES_4, "", dealer=1), "0:keep 1:keep 2:keep")
    assert hand.phase == "bid"
    assert [set(held) for held in hand.hands] == [set(held.split()) for held in TAKES_4]


def test_a_pack_is_dealt_five_cards_a_seat_from_seat_0_and_the_rest_lies_beside() -> None:
    """RULES §2.1."""
    for profile, seats in (("ohio", 4), ("cutthroat", 3)):
        pack = np.random.default_rng(seats).permutation(24).astype(np.int8)
        table = deal_table(PROFILES[profile], pack, 1, [0] * 4)[0]
        dealt = [mask_of(pack[5 * seat : 5 * seat + 5].tolist()) for seat in range(seats)]
        assert table.hand.tolist() == dealt + [0] * (4 - seats)
        beside = pack[5 * seats :].tolist()
        assert table.rest.tolist() == beside + [NONE] * (9 - len(beside))


@pytest.mark.parametrize("profile", PROFILES)
def test_a_deal_leaves_nothing_of_the_last_hand_but_scores_and_hands_played(profile: str) -> None:
    rules = PROFILES[profile]
    pack = np.random.default_rng(0).permutation(24).astype(np.int8)
    tables = make_tables(2)
    tables[0] = np.frombuffer(bytes([85]) * tables.itemsize, tables.dtype)[0]
    for name in ("scores", "hands_played"):
        tables[name][1] = tables[name][0]
    for table in tables:
        engine.deal(table, rules.packed()[0], pack, 2)
    assert tables[0].tobytes() == tables[1].tobytes()
    assert tables["hands_played"].tolist() == [0x55555555] * 2


@pytest.mark.parametrize(
    ("profile", "phase", "seat"),
    [("ohio", "order", 2), ("dirty-clubs", "bid", 2), ("stick-the-dealer", "discard", 1), ("cutthroat", "exchange", 0)],
)
def test_the_dealers_left_begins_but_its_right_where_hands_are_exchanged(profile: str, phase: str, seat: int) -> None:
    """RULES §2.4, §3.2, §4.1."""
    rules = PROFILES[profile]
    hand = deal(rules, SUITS[: rules.seats], "9D", dealer=1)
    assert (hand.phase, hand.seat) == (phase, seat)
