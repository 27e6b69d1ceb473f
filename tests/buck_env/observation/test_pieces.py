"""The pieces: each is lit and dark where a person says, and their declarations are true of random play."""

from __future__ import annotations

import random

import numpy as np
import pytest
from houses import random_house
from sights import lit, see

from buck_env import LAYOUT, OBSERVATION_SIZE, OBSERVATION_VERSION, PIECES, PROFILES, Rules, action_id
from buck_env.environments.tables import Tables
from buck_env.game import engine
from buck_env.game.cards import card_id
from buck_env.observation.pieces import usable
from buck_env.observation.views import Views, pick_evenly
from buck_env.records import deal_table, pack_of

LENGTHS = {0: 512}
"""The length of an observation, by version."""


def test_another_length_is_another_version() -> None:
    assert LENGTHS[OBSERVATION_VERSION] == OBSERVATION_SIZE


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


def seen_in_random_play(rules: Rules, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """The smallest and the largest value of each entry, (D,) each, suits as they are and relabelled."""
    tables = Tables(rules, 60, episode="match", autoreset="same_step", skip_forced=True)
    tables.reset(seed)
    least, most = tables.observations.min(axis=0), tables.observations.max(axis=0)
    for _ in range(60):
        views = Views.of(rules, tables.tables, tables.logs)
        for observation in (views.observation, views.canonical[0]):
            least, most = np.minimum(least, observation.min(axis=0)), np.maximum(most, observation.max(axis=0))
        tables.step(pick_evenly(views.action_mask, views.uniforms))
    return least, most


@pytest.mark.parametrize("profile", PROFILES)
def test_entries_that_rules_cannot_use_are_0_and_all_lie_between_low_and_high(profile: str) -> None:
    rng = random.Random(profile)
    for rules in (PROFILES[profile], *(random_house(profile, rng) for _ in range(12))):
        least, most = seen_in_random_play(rules, rng.randrange(10**6))
        for piece in PIECES:
            low, high = (seen[LAYOUT[piece.name]].reshape(piece.shape) for seen in (least, most))
            dark = ~usable(piece, rules)
            assert not low[dark].any(), (rules.name, piece.name)
            assert not high[dark].any(), (rules.name, piece.name)
            assert piece.low <= low.min() <= high.max() <= piece.high, (rules.name, piece.name)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_piece_that_a_profile_can_use_is_lit_in_it(profile: str) -> None:
    rules = PROFILES[profile]
    least, most = seen_in_random_play(rules, 1)
    lit_pieces = {piece.name for piece in PIECES if least[LAYOUT[piece.name]].any() or most[LAYOUT[piece.name]].any()}
    assert lit_pieces == {piece.name for piece in PIECES if usable(piece, rules).any()}


def test_in_games_of_three_the_fourth_place_is_nobodys() -> None:
    rules = PROFILES["cutthroat"]
    for piece in PIECES:
        entries = usable(piece, rules)
        for number, axis in enumerate(piece.axes):
            if axis.kind == "seats":
                assert not entries.take(3, axis=number).any(), piece.name
                assert all(entries.take(seat, axis=number).any() == entries.any() for seat in range(3)), piece.name
