"""`buck rules` as a person meets it."""

from __future__ import annotations

from dataclasses import fields

import pytest
from places import ROOT

from buck_env import PROFILES, Rules
from buck_env.game.house import explain_fields
from training.cli.app import main


def test_rules_lists_and_shows(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    listed = capsys.readouterr().out
    assert all(name in listed for name in PROFILES)
    assert main(["rules", str(ROOT / "configs" / "rules" / "bucked-race.yaml")]) == 0
    told = capsys.readouterr().out
    assert "start: -25   (in bucked: 0)" in told
    assert "illegal_play: refuse" in told
    assert ["base", *explain_fields()] == [field.name for field in fields(Rules)]
    assert all(meaning and allowed for allowed, meaning in explain_fields().values())
