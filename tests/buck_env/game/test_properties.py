"""Properties that hold for any hand of any house, found or broken by hypothesis."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from houses import HOUSES
from hypothesis import given, settings
from hypothesis import strategies as st

from buck_env import PROFILES, Rules, action_id
from buck_env.game import engine
from buck_env.game.table import CARD, NONE, Phase
from buck_env.records import deal_table, pack_of, result_of

packs = st.permutations(range(24))


def cards_of(table: np.ndarray) -> list[int]:
    """Every card of a table, wherever it is."""
    t = table[0]
    held = [card for seat in range(4) for card in range(24) if int(t.hand[seat]) >> card & 1]
    played = [int(play) & CARD for play in t.plays[: t.played]]
    return held + played + [int(card) for card in t.discards if card >= 0]


@settings(max_examples=150, deadline=None)
@given(
    pack=packs,
    house=st.sampled_from(HOUSES),
    dealer=st.integers(0, 2),
    choices=st.lists(st.integers(0, 42), min_size=72, max_size=72),
)
def test_a_hand_conserves_cards_tricks_and_turns_with_its_seats(
    pack: list[int], house: Rules, dealer: int, choices: list[int]
) -> None:
    """RULES §1.7, §2.1."""
    seats, packed = house.seats, house.packed()[0]
    cards = np.array(pack, np.int8)
    turned = cards.copy()
    for seat in range(seats):
        turned[5 * ((seat + 1) % seats) : 5 * ((seat + 1) % seats) + 5] = cards[5 * seat : 5 * seat + 5]
    scores = [house.start - 3 * house.toward * seat for seat in range(seats)]
    table = deal_table(house, cards, dealer, scores)
    other = deal_table(house, turned, (dealer + 1) % seats, [scores[-1], *scores[:-1]])
    more = 0
    for choice in choices:
        if table["phase"][0] == Phase.OVER:
            break
        legal = int(engine.legal(table[0], packed))
        assert legal, "the seat to act always has a legal action"
        assert legal == int(engine.legal(other[0], packed))
        assert (table["seat"][0] + 1) % seats == other["seat"][0]
        known = cards_of(table)
        assert len(known) == len(set(known)), "no card is in two places"
        before, more = more, len(known) - 5 * seats
        assert more == before or (before == 0 and more in (1, 4)), "no card is lost; the upcard or the buck is taken up"
        actions = [action for action in range(43) if legal >> action & 1]
        for one in (table, other):
            engine.apply(one[0], packed, actions[choice % len(actions)])
    assert table["phase"][0] == Phase.OVER
    assert table["seat"][0] == NONE
    ours, theirs = result_of(table, house), result_of(other, house)
    alone = ours["stayed"].count(True) == 1
    unplayed = ours["redeal"] or (alone and house.walkover != "tricks")
    assert sum(ours["tricks"]) == (0 if unplayed else 5)
    for key in ("stayed", "tricks", "deltas", "scores"):
        values: Any = ours[key]  # type: ignore[literal-required]
        assert [values[-1], *values[:-1]] == theirs[key]  # type: ignore[literal-required]
    if house.tie == "share":
        assert sorted((winner + 1) % seats for winner in ours["winners"]) == theirs["winners"]
    assert [score + delta for score, delta in zip(scores, ours["deltas"], strict=True)] == ours["scores"]


HANDS = [[rank + suit for rank in ("9", "T", "J", "Q", "K")] for suit in "CDHS"]


@pytest.mark.parametrize("profile", ["ohio", "dirty-clubs", "bucked"])
def test_every_pattern_of_drops_with_every_dealer(profile: str) -> None:
    """Maker left of the dealer; whoever is left plays, the first of them at the dealer's left leads, or the maker.

    RULES §9.1, §9.4.
    """
    rules = PROFILES[profile]
    packed = rules.packed()[0]
    for dealer, drops in itertools.product(range(4), itertools.product((False, True), repeat=3)):
        table = deal_table(rules, pack_of(rules, HANDS, ["AH", "AC", "AD", "AS"]), dealer, [rules.start] * 4)
        maker = (dealer + 1) % 4
        script = ["bid:2", "pass", "pass", "pass", "name:S"] if profile == "dirty-clubs" else ["order"]
        for text in script:
            engine.apply(table[0], packed, action_id(text))
        if profile == "ohio":
            engine.apply(table[0], packed, int(engine.legal(table[0], packed)).bit_length() - 1)
        others = [(maker + steps) % 4 for steps in (1, 2, 3)]
        for seat, drop in zip(others, drops, strict=True):
            assert table["seat"][0] == seat
            engine.apply(table[0], packed, action_id("drop" if drop else "stay"))
        playing = [maker, *(seat for seat, drop in zip(others, drops, strict=True) if not drop)]
        if len(playing) == 1:
            assert table["phase"][0] == Phase.OVER
            assert result_of(table, rules)["deltas"][maker] == 5 * rules.toward
            assert result_of(table, rules)["winners"] == ([maker] if rules.sweep_wins else [])
            continue
        assert table["seat"][0] == maker, "the maker sits at the dealer's left"
        acted = []
        while table["phase"][0] == Phase.PLAY:
            acted.append(int(table["seat"][0]))
            legal = int(engine.legal(table[0], packed))
            engine.apply(table[0], packed, (legal & -legal).bit_length() - 1)
        assert sorted(acted) == sorted(playing * 5)
        result = result_of(table, rules)
        assert sum(result["tricks"]) == 5
        assert all(result["deltas"][seat] == 0 for seat in range(4) if seat not in playing)
