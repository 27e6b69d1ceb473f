"""The observation: complete for what a seat may know, blind to the rest, and with suits that can be relabelled."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import oracle
import pytest
from houses import HOUSES

from buck_env import LAYOUT, OBSERVATION_SIZE, PIECES, PROFILES, Rules, action_id
from buck_env.game import engine
from buck_env.game.cards import CARDS, card_id
from buck_env.game.hidden import hide
from buck_env.game.table import HIDDEN, NONE
from buck_env.observation.encode import encode_rows
from buck_env.observation.labels import original_action, relabelled_action
from buck_env.observation.views import Views
from buck_env.records import deal_table, pack_of, replay, table_from_view, view_of

COUNT = 12


def see(table: np.ndarray, rules: Rules, seat: int, canonical: bool = False) -> tuple[np.ndarray, int]:
    observation = np.full((1, OBSERVATION_SIZE), 99, np.int8)
    labels = np.zeros(1, np.int64)
    encode_rows(table, rules.packed(), np.array([seat]), canonical, observation, labels)
    return observation[0], int(labels[0])


def positions(rules: Rules, seed: object, count: int = COUNT) -> Iterator[tuple[Any, int, np.ndarray]]:
    """Record, number of steps and table of every position of some random hands."""
    rng = random.Random(str(seed))
    for _ in range(count):
        record: Any = oracle.play_random(rules, rng)
        for number, table in enumerate(replay(record)):
            yield record, number, table


def test_the_slices_tile_the_observation() -> None:
    assert [piece.name for piece in PIECES] == list(LAYOUT)
    ends = [LAYOUT[piece.name].stop for piece in PIECES]
    assert [LAYOUT[piece.name].start for piece in PIECES] == [0, *ends[:-1]]
    assert ends[-1] == OBSERVATION_SIZE == 512


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_what_is_hidden_changes_no_bit(rules: Rules) -> None:
    rng = random.Random(1)
    phases = set()
    for _, _, table in positions(rules, "hidden"):
        phases.add(int(table["phase"][0]))
        for seat in range(rules.seats):
            other = resampled(table, rules, seat, rng)
            for canonical in (False, True):
                ours, theirs = see(table, rules, seat, canonical), see(other, rules, seat, canonical)
                assert ours[1] == theirs[1]
                assert (ours[0] == theirs[0]).all()
            if seat == table["seat"][0]:
                assert int(engine.legal(table[0], rules.packed()[0])) == int(engine.legal(other[0], rules.packed()[0]))
    assert len(phases) >= 2


def resampled(table: np.ndarray, rules: Rules, seat: int, rng: random.Random) -> np.ndarray:
    """The table with every card that the seat cannot place dealt again among the places it cannot see."""
    seen, other = hide(table, np.array([seat]), rules)[0], table.copy()
    t = other[0]
    places: list[tuple[str, int, int]] = []
    pool: list[int] = []
    for holder in range(rules.seats):
        if holder != seat:
            cards = [card for card in range(24) if t.hand[holder] >> card & 1]
            pool += cards
            places += [("hand", holder, 0)] * len(cards)
            t.hand[holder] = 0
    for i in range(9):
        if seen.rest[i] == HIDDEN and not t.exchanged:
            pool.append(int(t.rest[i]))
            places.append(("rest", 0, i))
    for i in range(4):
        if seen.discards[i] == HIDDEN:
            pool.append(int(t.discards[i]))
            places.append(("discards", 0, i))
    rng.shuffle(pool)
    for card, (place, holder, i) in zip(pool, places, strict=True):
        if place == "hand":
            t.hand[holder] |= 1 << card
        else:
            getattr(t, place)[i] = card
    return other


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_perfect_recall_of_what_a_seat_may_know(rules: Rules) -> None:
    """Equal observations come from equal knowledge: the seat's view, but for the order of cards in a hand."""
    known: dict[bytes, str] = {}
    for record, number, table in positions(rules, "recall", 60):
        for seat in range(rules.seats):
            view: Any = view_of(record, seat, number)
            knowledge = repr(
                (
                    [sorted(hand) if hand else None for hand in (view["hands"][seat],)],
                    view["rest"][:1] if rules.turn_up else None,
                    [
                        ((s["seat"] - seat) % rules.seats, s["action"])
                        for s in view["steps"]
                        if s["action"] != "discard:?"
                    ],
                    (record["dealer"] - seat) % rules.seats,
                )
            )
            key = see(table, rules, seat)[0].tobytes()
            assert known.setdefault(key, knowledge) == knowledge
    assert len(known) > 500


@pytest.mark.parametrize("rules", [h for h in HOUSES if h.illegal_play == "refuse"], ids=lambda rules: rules.name)
def test_a_view_record_gives_the_same_observation_and_mask(rules: Rules) -> None:
    for record, number, table in positions(rules, "view", 8):
        for seat in range(rules.seats):
            _, read, _ = table_from_view(view_of(record, seat, number))
            assert (see(read, rules, seat)[0] == see(table, rules, seat)[0]).all()
            if table["seat"][0] == seat:
                assert int(engine.legal(read[0], rules.packed()[0])) == int(engine.legal(table[0], rules.packed()[0]))


def suit_maps(rules: Rules) -> list[str]:
    """Relabellings that keep colours paired; clubs are left alone where a rule names them."""
    maps = ["CDHS", "CHDS"]
    return maps if rules.forced_clubs else [*maps, "SDHC", "SHDC", "DCSH", "DSCH", "HCSD", "HSCD"]


def translate(text: str, suits: str) -> str:
    head, _, tail = text.rpartition(":")
    if tail in CARDS or tail in ("C", "D", "H", "S"):
        tail = tail[:-1] + suits["CDHS".index(tail[-1])]
    return f"{head}:{tail}" if head else tail


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_relabelling_a_whole_deal_changes_no_bit_of_a_canonical_view(rules: Rules) -> None:
    rng = random.Random(2)
    packed = rules.packed()
    for _ in range(COUNT):
        record: Any = oracle.play_random(rules, rng)
        for suits in suit_maps(rules):
            pair = []
            for mapping in ("CDHS", suits):
                hands = [[translate(card, mapping) for card in hand] for hand in record["hands"]]
                rest = [translate(card, mapping) for card in record["rest"]]
                pair.append(deal_table(rules, pack_of(rules, hands, rest), record["dealer"], record["scores"]))
            for step in record["steps"]:
                compare_views(pair, rules)
                for table, mapping in zip(pair, ("CDHS", suits), strict=True):
                    engine.apply(table[0], packed[0], action_id(translate(step["action"], mapping)))
            compare_views(pair, rules)


def compare_views(pair: list[np.ndarray], rules: Rules) -> None:
    packed = rules.packed()[0]
    for seat in range(rules.seats):
        (ours, labels), (theirs, other_labels) = (see(table, rules, seat, canonical=True) for table in pair)
        assert (ours == theirs).all()
        if pair[0]["seat"][0] == seat:
            masks = [
                {relabelled_action(a, used) for a in range(43) if int(engine.legal(table[0], packed)) >> a & 1}
                for table, used in zip(pair, (labels, other_labels), strict=True)
            ]
            assert masks[0] == masks[1]
            assert all(original_action(relabelled_action(a, labels), labels) == a for a in range(43))


def test_trump_goes_by_clubs_and_its_twin_by_spades() -> None:
    for _, _, table in positions(PROFILES["ohio"], "trump", 10):
        trump = int(table["trump"][0])
        if 0 <= trump < 4:
            _, labels = see(table, PROFILES["ohio"], 0, canonical=True)
            assert labels >> 3 * trump & 7 == 0
            assert labels >> 3 * (3 - trump) & 7 == 3


def lit(observation: np.ndarray, name: str) -> list[int]:
    return np.flatnonzero(observation[LAYOUT[name]]).tolist()


def cards(*texts: str) -> list[int]:
    return sorted(card_id(text) for text in texts)


def test_each_piece_is_lit_where_a_person_says_in_ohio() -> None:
    rules = PROFILES["ohio"]
    hands = [
        ["9C", "TC", "JC", "QC", "KC"],
        ["9D", "TD", "JD", "QD", "KD"],
        ["9H", "TH", "JH", "QH", "KH"],
        ["9S", "TS", "JS", "QS", "KS"],
    ]
    rest = ["AH", "AC", "AD", "AS"]
    table = deal_table(rules, pack_of(rules, hands, rest), 3, [25, 20, 30, -150])

    def act(*texts: str) -> None:
        for text in texts:
            assert int(engine.legal(table[0], rules.packed()[0])) >> action_id(text) & 1, text
            engine.apply(table[0], rules.packed()[0], action_id(text))

    view = see(table, rules, 1)[0]
    assert lit(view, "phase") == [1]
    assert lit(view, "actor") == [3]
    assert lit(view, "dealer") == [2]
    assert lit(view, "hand") == cards("9D", "TD", "JD", "QD", "KD")
    assert lit(view, "upcard") == cards("AH")
    assert view[LAYOUT["scores"]].tolist() == [20, 30, -128, 25]
    dark = set(LAYOUT) - {"phase", "actor", "dealer", "hand", "upcard", "scores"}
    assert all(not lit(view, name) for name in dark)
    act("pass", "order", "discard:9S", "stay", "drop", "stay")
    view = see(table, rules, 3)[0]
    assert lit(view, "passed") == [1]
    assert lit(view, "maker") == [2]
    assert lit(view, "contract") == [2]
    assert lit(view, "trump") == [2]
    assert lit(view, "discards") == cards("9S")
    assert lit(view, "taken") == cards("AH")
    assert lit(view, "hand") == cards("AH", "TS", "JS", "QS", "KS")
    assert lit(view, "stayed") == [1, 3]
    assert lit(view, "dropped") == [0]
    assert lit(see(table, rules, 0)[0], "discards") == []
    assert lit(see(table, rules, 0)[0], "taken") == []


def test_plays_are_lit_in_order_and_the_left_bower_is_led_as_trump() -> None:
    rules = PROFILES["dirty-clubs"]
    hands = [
        ["9C", "TC", "JC", "QC", "KC"],
        ["9D", "TD", "JD", "QD", "KD"],
        ["9H", "TH", "JH", "QH", "KH"],
        ["9S", "TS", "JS", "QS", "KS"],
    ]
    table = deal_table(rules, pack_of(rules, hands, ["AH", "AC", "AD", "AS"]), 0, [15, 15, 15, 15])
    for text in (
        "bid:2",
        "bid:3",
        "pass",
        "pass",
        "name:D",
        "stay",
        "stay",
        "stay",
        "play:JH",
        "play:9S",
        "play:9C",
        "play:JD",
    ):
        assert int(engine.legal(table[0], rules.packed()[0])) >> action_id(text) & 1, text
        if text == "play:9S":
            assert lit(see(table, rules, 2)[0], "led") == [1]
            assert lit(see(table, rules, 2)[0], "trick") == cards("JH")
        engine.apply(table[0], rules.packed()[0], action_id(text))
    view = see(table, rules, 2)[0]
    assert lit(view, "bids") == [4 * 1 + 3, 4 * 2 + 0]
    assert lit(view, "passed") == [4 * 2 + 1, 4 * 2 + 2]
    assert lit(view, "leaders") == [0]
    assert lit(view, "tricks") == [5 * 3 + 0]
    assert lit(view, "trick_number") == [1]
    assert lit(view, "trick") == []
    assert lit(view, "led") == []
    assert lit(view, "played_by") == sorted([card_id("JH"), 24 + card_id("9S"), 48 + card_id("9C"), 72 + card_id("JD")])
    assert lit(view, "played_in") == cards("JH", "9S", "9C", "JD")


def test_views_hide_before_an_agent_sees() -> None:
    for _, _, table in positions(PROFILES["cutthroat"], "views", 5):
        if table["seat"][0] == NONE:
            continue
        seat = int(table["seat"][0])
        views = Views.of(PROFILES["cutthroat"], table, np.zeros(1, engine_log()))
        for other in range(3):
            assert (views.tables["hand"][0, other] != 0) == (other == seat) or table["hand"][0, other] == 0
        assert (views.observation[0] == see(table, PROFILES["cutthroat"], seat)[0]).all()


def engine_log() -> np.dtype:
    from buck_env.game.table import LOG

    return LOG
