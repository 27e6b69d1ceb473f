"""House rules for the tests: some of every kind, and random ones."""

from __future__ import annotations

import random
from typing import Any

from buck_env import PROFILES, Rules, RulesError, load_rules

CHOICES: dict[str, list[Any]] = {
    "hands": [None, 1, 3],
    "target_in_hands": [True],
    "sweep_wins": [True, False],
    "tie": ["share", "eldest", "play_on"],
    "exchange": ["none", "first", "every"],
    "forced_clubs": [True, False],
    "pick_up": [True, False],
    "discard": ["before_stay", "after_stay"],
    "no_trump": [True, False],
    "bid_min": [1, 2, 3],
    "bid_max": [4, 5, 8],
    "bid_circuits": ["one", "many"],
    "all_pass": ["redeal", "no_trump", "stick_dealer"],
    "turned_down": ["nobody", "dealer", "anyone"],
    "discard_upcard": [True, False],
    "made_contract": ["tricks", "bid"],
    "may_drop": [True, False],
    "stay_from": ["maker", "dealer"],
    "forced_stay": [None, 5, 12],
    "walkover": ["tricks", "points", "nothing"],
    "walkover_points": [3, 8],
    "lead": ["dealer", "maker"],
    "illegal_play": ["refuse", "renege"],
    "maker_needs": [2, 3, 4],
    "stayer_needs": [0, 1, 2, 3],
    "maker_penalty": [5, 7],
    "stayer_penalty": [5, 2],
    "renege_penalty": [5, 9],
    "drop_points": [0, 1, -1],
}


def random_house(base: str, rng: random.Random) -> Rules:
    """A house derived from a profile by a few random choices."""
    while True:
        keys = rng.sample(sorted(CHOICES), rng.randint(1, 6))
        try:
            return load_rules({"base": base, **{key: rng.choice(CHOICES[key]) for key in keys}})
        except RulesError:
            continue  # an impossible combination: another draw


HOUSES = [
    *PROFILES.values(),
    load_rules({"base": "ohio", "discard": "after_stay", "no_trump": True}),
    load_rules({"base": "cutthroat", "exchange": "every"}),
    load_rules({"base": "dirty-clubs", "illegal_play": "renege"}),
    load_rules({"base": "bucked", "hands": 6}),
    load_rules({"base": "ohio", "turned_down": "dealer", "all_pass": "stick_dealer", "discard_upcard": False}),
    load_rules({"base": "cutthroat", "made_contract": "bid"}),
    load_rules({"base": "dirty-clubs", "bid_circuits": "many", "bid_max": 8, "all_pass": "no_trump"}),
]
