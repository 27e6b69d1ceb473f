"""Bots for the tests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from agents.bots.bot import write_bot
from agents.bots.network import layer_names
from buck_env import Rules


def untrained(folder: Path, rules: Rules, **changes: Any) -> Path:
    """A bot of random weights, as sure of its opinions as a trained one."""
    facts: dict[str, Any] = {
        "canonical": True, "objective": "points", "phases": list(rules.phases), "hidden": [128, 128], "seed": 0,
        "decisions": 0, "seconds": 0.0, "cores": 1, "config": {}, "curve": [], **changes,
    }  # fmt: skip
    draws = np.random.default_rng(7)
    weights: dict[str, np.ndarray] = {}
    for name, inputs, outputs in layer_names(facts["hidden"]):
        width = 40 if name == "hidden_0" else inputs  # of an observation few entries are lit
        weights[f"{name}.weight"] = draws.normal(0, (2 / width) ** 0.5, (outputs, inputs)).astype(np.float32)
        weights[f"{name}.bias"] = draws.normal(0, 0.1, outputs).astype(np.float32)
    write_bot(folder, weights, rules={"base": rules.base, **rules.as_dict()}, **facts)
    return folder
