"""The fast engine against the slow one, and properties of any hand of any house, found or broken by hypothesis."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import oracle
import pytest
from houses import HOUSES, random_house
from hypothesis import given, settings
from hypothesis import strategies as st

from buck_env import PROFILES, Rules, action_id, action_text
from buck_env.base.compiled import kernel
from buck_env.game import engine
from buck_env.game.options import PHASES, Phase
from buck_env.game.table import CARD, NONE, make_tables
from buck_env.records import deal_table, pack_of, result_of

HANDS, CHUNKS = 20_000, 8


@kernel
def trace(
    packed: Any, table: Any, pack: Any, dealer: int, actions: Any, phases: Any, seats: Any, legals: Any, allowed: Any
) -> int:
    """Play a hand; phase, seat, legal set and whether the action was permitted, by step; the number of steps taken."""
    engine.deal(table[0], packed[0], pack, dealer)
    for i in range(len(actions)):
        if table[0].phase == Phase.OVER:
            return i
        phases[i] = table[0].phase
        seats[i] = table[0].seat
        legals[i] = engine.legal(table[0], packed[0])
        allowed[i] = engine.permitted(table[0], packed[0]) >> actions[i] & 1
        engine.apply(table[0], packed[0], actions[i])
    return len(actions)


MASKS: dict[tuple[str, ...], int] = {}


def mask_of(legal: list[str]) -> int:
    key = tuple(legal)
    if key not in MASKS:
        MASKS[key] = sum(1 << action_id(text) for text in legal)
    return MASKS[key]


def disagreement(rules: Rules, record: dict[str, Any], hands_played: int) -> str | None:
    """The first difference between the fast engine and a record of the slow one."""
    steps = record["steps"]
    actions = np.array([action_id(step["action"]) for step in steps], np.int64)
    phases, seats, legals, allowed = (np.zeros(len(steps), np.int64) for _ in range(4))
    table = make_tables(1)
    table["scores"][0, : rules.seats] = record["scores"]
    table["hands_played"] = hands_played
    pack = pack_of(rules, record["hands"], record["rest"])
    taken = trace(rules.packed(), table, pack, record["dealer"], actions, phases, seats, legals, allowed)
    if taken != len(steps):
        return f"over after {taken} of {len(steps)} steps"
    for i, step in enumerate(steps):
        ours = (PHASES[phases[i]], seats[i], legals[i], allowed[i])
        theirs = (step["phase"], step["seat"], mask_of(step["legal"]), 1)
        if ours != theirs:
            return f"step {i}: {ours} against {theirs}"
        if action_text(int(actions[i]), PHASES[phases[i]]) != step["action"]:
            return f"step {i}: {step['action']}"
    if table["phase"][0] != Phase.OVER:
        return "not over"
    if result_of(table, rules) != record["result"]:
        return f"result: {result_of(table, rules)} against {record['result']}"
    return None


@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("profile", PROFILES)
def test_both_engines_agree_on_random_hands(profile: str, chunk: int) -> None:
    rng = random.Random(f"{profile} {chunk}")
    for number in range(HANDS // CHUNKS):
        rules = random_house(profile, rng) if number % 4 == 0 else PROFILES[profile]
        hands_played = rng.randint(0, 3) if rules.hands else 0
        record = oracle.play_random(rules, rng, hands_played=hands_played)
        fault = disagreement(rules, record, hands_played)
        assert fault is None, f"{rules.name}, hand {number}: {fault}\n{record}"


@pytest.mark.soak
def test_both_engines_agree_on_hands_of_random_houses(pytestconfig: pytest.Config) -> None:
    rng = random.Random("soak")
    for number in range(pytestconfig.getoption("hands")):
        if number % 20 == 0:
            rules = random_house(rng.choice(sorted(PROFILES)), rng)
        hands_played = rng.randint(0, 3) if rules.hands else 0
        record = oracle.play_random(rules, rng, hands_played=hands_played)
        fault = disagreement(rules, record, hands_played)
        assert fault is None, f"{rules.as_record()}, hand {number}: {fault}\n{record}"


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


SUITS_DEALT = [[rank + suit for rank in ("9", "T", "J", "Q", "K")] for suit in "CDHS"]


@pytest.mark.parametrize("profile", ["ohio", "dirty-clubs", "bucked"])
def test_every_pattern_of_drops_with_every_dealer(profile: str) -> None:
    """Maker left of the dealer; whoever is left plays, the first of them at the dealer's left leads, or the maker.

    RULES §9.1, §9.4.
    """
    rules = PROFILES[profile]
    packed = rules.packed()[0]
    for dealer, drops in itertools.product(range(4), itertools.product((False, True), repeat=3)):
        table = deal_table(rules, pack_of(rules, SUITS_DEALT, ["AH", "AC", "AD", "AS"]), dealer, [rules.start] * 4)
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
