"""The six profiles of the five sources, each by what differs from `ohio`, whose values are the defaults of `Rules`."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

__all__ = ["DIFFERENCES"]

_STICK_THE_DEALER = {
    "start": 0,
    "target": 15,
    "sweep_wins": False,
    "turn_up": False,
    "forced_clubs": False,
    "making": "dealer",
    "pick_up": False,
    "no_trump": True,
    "may_drop": False,
    "maker_needs": 1,
}

_DIRTY_CLUBS = {
    "start": 15,
    "sweep_wins": False,
    "making": "bid",
    "pick_up": False,
    "all_pass": "redeal",
    "lead": "maker",
    "maker_needs": "bid",
}

_BUCKED = {
    "start": 0,
    "target": 10,
    "sweep_wins": False,
    "forced_clubs": False,
    "pick_up": False,
    "all_pass": "redeal",
    "stayer_needs": 3,
}

_CUTTHROAT = {
    "seats": 3,
    "start": 15,
    "sweep_wins": False,
    "turn_up": False,
    "forced_clubs": False,
    "exchange": "first",
    "making": "bid",
    "pick_up": False,
    "no_trump": True,
    "bid_min": 1,
    "bid_max": 8,
    "bid_circuits": "many",
    "all_pass": "redeal",
    "forced_stay": 5,
    "lead": "maker",
    "maker_needs": "bid",
}

DIFFERENCES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "ohio": {},
        "stick-the-dealer": _STICK_THE_DEALER,
        "dirty-clubs": _DIRTY_CLUBS,
        "bucked": _BUCKED,
        "bucked-3": {**_BUCKED, "seats": 3},
        "cutthroat": _CUTTHROAT,
    }
)
"""What each profile changes (RULES §15.1)."""
