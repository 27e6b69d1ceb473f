"""Agents that are classes of a module."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from moments import moments

from agents import Agent, AgentError, load_agent
from buck_env.game.house import load_rules
from buck_env.observation.views import Views


def test_a_class_of_a_module_sits_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_bots.py").write_text(
        "class Lowest:\n"
        "    def __init__(self, rules): self.rules = rules\n"
        "    def act(self, views): return views.action_mask.argmax(1)\n"
        "class Mute:\n"
        "    def __init__(self, rules): pass\n"
        "class Vague:\n"
        "    phases = None\n"
        "    def __init__(self, rules): pass\n"
        "    def act(self, views): return views.action_mask.argmax(1)\n"
        "class Broken:\n"
        "    def __init__(self, rules): raise RuntimeError('no\\nluck')\n"
        "number = 1\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    rules = load_rules("bucked")
    try:
        lowest = load_agent("my_bots:Lowest", rules)
        assert isinstance(lowest, Agent)
        for tables, logs, masks in moments(rules, lowest, n=10):
            assert masks[np.arange(len(tables)), lowest.act(Views.of(rules, tables, logs))].all()
        for name, error in (
            ("my_bots:Mute", "class Mute has no method act"),
            ("my_bots:Vague", "phases is None; allowed: a tuple of exchange, order"),
            ("my_bots:Broken", "Broken(rules) failed (RuntimeError: no luck)"),
            ("my_bots:number", "has no class number"),
            ("my_bots:Absent", "has no class Absent"),
            ("no_such_module:X", "cannot be imported: ModuleNotFoundError"),
        ):
            with pytest.raises(AgentError) as caught:
                load_agent(name, rules)
            assert error in str(caught.value)
            assert name in str(caught.value)
            assert "\n" not in str(caught.value)
    finally:
        sys.modules.pop("my_bots", None)
