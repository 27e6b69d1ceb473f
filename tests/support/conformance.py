"""Conformance records, and one of each profile to be changed."""

from __future__ import annotations

import json
from typing import Any

from places import CONFORMANCE

from buck_env import PROFILES

FILES = sorted(CONFORMANCE.glob("*.jsonl"))


def examples() -> list[dict[str, Any]]:
    """A hand of every profile with many steps."""
    chosen = []
    for profile in PROFILES:
        path = next(path for path in FILES if path.stem == profile)
        records = [json.loads(line) for line in path.read_text().splitlines()]
        chosen.append(max(records, key=lambda record: len(record["steps"])))
    return chosen
