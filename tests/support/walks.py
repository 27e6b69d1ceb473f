"""Tables of random hands, of every profile and of houses that show what no profile does."""

from __future__ import annotations

from collections import defaultdict
from functools import cache
from typing import Any

import numpy as np

from buck_env import PROFILES, Rules, buck_euchre_v0, load_rules
from buck_env.game import engine
from buck_env.game.options import Phase
from buck_env.records import deal_table, phase_text

HOUSES: dict[str, Rules] = {
    **PROFILES,
    "reneges": load_rules({"base": "bucked", "illegal_play": "renege"}),
    "every exchange": load_rules({"base": "cutthroat", "exchange": "every", "forced_stay": None}),
    "late discard": load_rules({"base": "ohio", "discard": "after_stay", "no_trump": True, "hands": 12}),
    "ohio of three": load_rules({"base": "ohio", "seats": 3}),
    "stick of three": load_rules({"base": "stick-the-dealer", "seats": 3}),
    "long auction": load_rules({"base": "dirty-clubs", "bid_circuits": "many", "bid_min": 1, "bid_max": 8}),
}


@cache
def walk(house: str) -> dict[str, list[np.ndarray]]:
    """Tables of 60 random hands by phase."""
    rules = HOUSES[house]
    packed = rules.packed()[0]
    generator = np.random.default_rng(7)
    seen: dict[str, list[np.ndarray]] = defaultdict(list)
    for number in range(60):
        pack = generator.permutation(24).astype(np.int8)
        scores = generator.integers(-12, 40, 4).tolist()
        table = deal_table(rules, pack, int(generator.integers(rules.seats)), scores, number % 9)
        while table["phase"][0] != Phase.OVER:
            seen[phase_text(table)].append(table.copy())
            actions = [a for a in range(43) if int(engine.permitted(table[0], packed)) >> a & 1]
            engine.apply(table[0], packed, int(generator.choice(actions)))
        seen["over"].append(table)
    return seen


def phase_of(table: np.ndarray) -> str:
    return Phase(int(table["phase"][0])).name.lower()


def some(house: str, of_a_phase: int) -> list[np.ndarray]:
    """A few tables of each phase."""
    return [
        table for tables in walk(house).values() for table in tables[:: max(1, len(tables) // of_a_phase)][:of_a_phase]
    ]


def viewers(house: str) -> list[int | None]:
    return [None, *range(HOUSES[house].seats)]


def played(rules: str = "ohio", steps: int = 60) -> Any:
    env = buck_euchre_v0.vector_env(2, rules=rules, episode="match")
    env.reset(seed=1)
    for _ in range(steps):
        env.step(env.sample())
    return env


def random_action(env: Any, generator: np.random.Generator) -> int:
    """A legal action of the seat to act, drawn evenly."""
    return int(generator.choice(np.flatnonzero(env.last()[0]["action_mask"])))
