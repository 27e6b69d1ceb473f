"""A view is complete for what a seat may know, and blind to the rest."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from houses import HOUSES
from sights import positions, see

from buck_env import Rules
from buck_env.game import engine
from buck_env.game.hidden import hide
from buck_env.game.table import HIDDEN
from buck_env.records import table_from_view, view_of


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
