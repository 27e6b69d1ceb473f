"""How fast agents look ahead: what is timed, and the file of figures."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from clocks import Clock

from agents import load_agent
from buck_env import __version__, load_rules
from training.bench import search
from training.cli.app import main
from training.measuring.decisions import decisions_of_hands


def test_medians_leave_out_the_first_call_and_go_round(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "time", Clock())
    met: list[int] = []
    taken, returned = search._medians(3, 9.0, lambda item: met.append(item) or 10.0 * item)
    assert met == [0, 0, 1, 2, 0, 1]
    assert (taken, returned) == (1.0, 10.0)


def test_a_trick_is_led_with_as_many_cards_in_every_hand() -> None:
    rules = load_rules("ohio")
    leads = search._leads(decisions_of_hands(rules, load_agent("rules-v1", rules), 20), trick=3)
    assert len(leads)
    own = leads.tables["hand"][range(len(leads)), leads.seats]
    assert {int(hand).bit_count() for hand in own} == {2}


def test_figures_are_numbers_and_written_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "AGENTS", ("pimc:2",))
    monkeypatch.setattr(search, "MODELS", ("rules-v1",))
    monkeypatch.setattr(search, "HANDS", 20)
    out = tmp_path / "new" / "figures.json"
    assert main(["bench", "search", "--rules", "ohio", "--seconds", "0", "--json", str(out)]) == 0
    figures = json.loads(out.read_text())
    assert (figures.pop("version"), figures.pop("rules"), figures.pop("cores")) == (__version__, "ohio", 1)
    assert len(figures) == 6
    assert all(math.isfinite(figure) and figure > 0 for figure in figures.values())
