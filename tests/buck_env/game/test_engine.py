"""The fast engine against the slow one, and against the worked examples."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import oracle
import pytest
from houses import random_house
from places import ROOT

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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_an_interrupt_waits_until_a_kernel_is_loaded(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    double = kernel(twice)
    compile_it = type(double).compile

    def interrupted(dispatcher: Any, signature: Any) -> Any:
        signal.raise_signal(number)
        return compile_it(dispatcher, signature)

    monkeypatch.setattr(type(double), "compile", interrupted)
    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            double(2)
        assert double.signatures
        assert signal.getsignal(number) is signal.default_int_handler
        assert double(2) == 4
    finally:
        signal.signal(number, before)


def twice(x: int) -> int:
    return 2 * x


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_seconds_of_compiling_are_told_and_those_of_loading_are_not(tmp_path: Path) -> None:
    (tmp_path / "doubled.py").write_text(
        "from buck_env.base.compiled import compile_seconds, kernel\n\n@kernel\ndef twice(x):\n    return 2 * x\n\n"
        "assert compile_seconds() == 0\ntwice(2), twice(2)\nprint(compile_seconds() > 0)\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    for compiled in ("True\n", "False\n"):
        run = subprocess.run(
            [sys.executable, "doubled.py"], capture_output=True, text=True, check=True, cwd=tmp_path, env=environment
        )
        assert run.stdout == compiled
