"""House rules for the tests: some of every kind, and random ones."""

from __future__ import annotations

import random
from dataclasses import fields
from typing import Any, get_type_hints

from buck_env import PROFILES, Rules, RulesError, load_rules
from buck_env.game.options import Option

NUMBERS: dict[str, list[Any]] = {
    "hands": [None, 1, 3],
    "bid_min": [1, 2, 3],
    "bid_max": [4, 5, 8],
    "forced_stay": [None, 5, 12],
    "walkover_points": [3, 8],
    "maker_needs": [2, 3, 4],
    "stayer_needs": [0, 1, 2, 3],
    "maker_penalty": [5, 7],
    "stayer_penalty": [5, 2],
    "renege_penalty": [5, 9],
    "drop_points": [0, 1, -1],
}
FIXED = {"base", "seats", "start", "target", "first_dealer", "making", "turn_up"}
"""What a random house takes from its profile as it is."""


def _choices() -> dict[str, list[Any]]:
    """The values that a field may get: both of a switch, every text of an option, the numbers above, else one more."""
    hints = get_type_hints(Rules)
    defaults = {field.name: field.default for field in fields(Rules)}
    switches = {name: [True, False] for name, hint in hints.items() if hint is bool}
    kinds = {name: hint for name, hint in hints.items() if isinstance(hint, type) and issubclass(hint, Option)}
    options = {name: [str(choice) for choice in kind] for name, kind in kinds.items()}
    more: dict[str, Any] = {name: [defaults[name], defaults[name] + 1] for name, hint in hints.items() if hint is int}
    return {name: values for name, values in (more | switches | options | NUMBERS).items() if name not in FIXED}


CHOICES = _choices()


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
