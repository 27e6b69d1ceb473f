"""The fast engine against the slow one, and against the worked examples."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import oracle
import pytest
from houses import random_house

from buck_env import PROFILES, Rules, action_id, action_text
from buck_env.base.compiled import kernel
from buck_env.game import engine
from buck_env.game.table import PHASES, Phase, make_tables
from buck_env.records import pack_of, result_of

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
