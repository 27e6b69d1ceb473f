"""The slow engine against the conformance records, and its random hands."""

from __future__ import annotations

import itertools
import json
import random
from typing import Any

import pytest
from oracle import PACK, Hand, play_random, replay, strength, suit_of
from places import CONFORMANCE
from worked import (
    SUITS,
    deal,
    house,
)

from buck_env import PROFILES, Rules, load_rules

RECORD_FILES = [*PROFILES, "matches"]


def records(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CONFORMANCE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("name", RECORD_FILES)
def test_every_conformance_record_agrees(name: str) -> None:
    differences = {
        number: found
        for number, record in enumerate(records(name), start=1)
        if (found := replay(record, load_rules(record["rules"])))
    }
    assert not differences


def test_matches_carry_scores_and_deal_over_and_only_their_last_hand_has_winners() -> None:
    matches: dict[str, list[dict[str, Any]]] = {}
    for record in records("matches"):
        matches.setdefault(record["match"]["id"], []).append(record)
    assert len(matches) == 60
    for hands in matches.values():
        for before, after in itertools.pairwise(hands):
            assert after["scores"] == before["result"]["scores"]
            assert after["dealer"] == (before["dealer"] + 1) % len(before["scores"])
        assert [bool(hand["result"]["winners"]) for hand in hands] == [False] * (len(hands) - 1) + [True]


def test_replay_tells_every_kind_of_difference() -> None:
    rules = PROFILES["bucked"]
    record = play_random(rules, random.Random(5))
    assert replay(record, rules) == []

    def changed(**keys: Any) -> dict[str, Any]:
        return {**json.loads(json.dumps(record)), **keys}

    steps = record["steps"]
    assert "result: deltas" in replay(changed(result={**record["result"], "deltas": [9] * 4}), rules)[0]
    assert "result: extra" in replay(changed(result={**record["result"], "extra": 1}), rules)[0]
    assert "legal" in replay(changed(steps=[{**steps[0], "legal": ["order"]}, *steps[1:]]), rules)[0]
    assert "seat" in replay(changed(steps=[{**steps[0], "seat": 9}, *steps[1:]]), rules)[0]
    assert "not legal" in replay(changed(steps=[{**steps[0], "action": "bid:3"}, *steps[1:]]), rules)[0]
    assert "the record ends" in replay(changed(steps=steps[:-1]), rules)[0]
    assert "is over" in replay(changed(steps=[*steps, steps[-1]]), rules)[0]


def test_order_of_the_cards() -> None:
    def by_strength(trump: str, led: str) -> str:
        able = [card for card in PACK if strength(card, trump, led)]
        return " ".join(sorted(able, key=lambda card: -strength(card, trump, led)))

    assert by_strength("H", "D") == "JH JD AH KH QH TH 9H AD KD QD TD 9D"
    assert by_strength("S", "H") == "JS JC AS KS QS TS 9S AH KH QH JH TH 9H"
    assert by_strength("C", "S") == "JC JS AC KC QC TC 9C AS KS QS TS 9S"
    assert by_strength("NT", "C") == "AC KC QC JC TC 9C"
    assert [suit_of("JD", trump) for trump in ("C", "D", "H", "S", "NT")] == ["D", "D", "H", "D", "D"]


def test_a_deal_that_is_no_pack_is_refused() -> None:
    with pytest.raises(ValueError, match="pack"):
        Hand(PROFILES["ohio"], [hand.split() for hand in SUITS], ["9C", "9C", "9D", "9H"], 0, [25] * 4)
    with pytest.raises(ValueError, match="hands of 5"):
        deal(PROFILES["cutthroat"], SUITS, "", dealer=0)
    with pytest.raises(ValueError, match="scores"):
        deal(PROFILES["ohio"], SUITS, "", dealer=4)


HOUSES = [
    *PROFILES.values(),
    *(house(name, illegal_play="renege") for name in PROFILES),
    house("ohio", discard="after_stay", no_trump=True, stay_from="dealer", tie="eldest", drop_points=-1),
    house("ohio", all_pass="redeal", lead="maker", walkover="points", forced_stay=3, illegal_play="renege"),
    house("bucked", hands=1, tie="play_on", walkover="nothing", forced_clubs=True, target=15),
    house("bucked", start=-25, target=0, pick_up=True, discard="after_stay", stayer_needs=1),
    house("cutthroat", exchange="every", all_pass="no_trump", sweep_wins=True, tie="play_on"),
    house("dirty-clubs", bid_circuits="many", bid_min=1, bid_max=8, no_trump=True, hands=1, target_in_hands=True),
]


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_random_hands_replay_and_add_up(rules: Rules) -> None:
    rng = random.Random(7)
    for _ in range(200):
        record = json.loads(json.dumps(play_random(rules, rng)))
        assert load_rules(record["rules"]) == rules
        assert replay(record, rules) == []
        result, plays = record["result"], [step for step in record["steps"] if step["phase"] == "play"]
        reneges = [step for step in record["steps"] if step["action"] not in step["legal"]]
        assert not reneges or rules.illegal_play == "renege"
        assert all(step["phase"] == "play" and step["legal"] == sorted(step["legal"]) for step in reneges)
        walked_over = not result["redeal"] and not plays
        assert sum(result["tricks"]) == (0 if result["redeal"] or (walked_over and rules.walkover != "tricks") else 5)
        if plays and not reneges:
            assert len(plays) == 5 * sum(result["stayed"])
        for seat in range(rules.seats):
            assert result["scores"][seat] == record["scores"][seat] + result["deltas"][seat]
        for step in reneges:
            assert result["deltas"][step["seat"]] == -rules.toward * rules.renege_penalty


def test_random_hands_come_from_the_generator_alone() -> None:
    first, second = (play_random(PROFILES["ohio"], random.Random(3)) for _ in range(2))
    assert first == second
