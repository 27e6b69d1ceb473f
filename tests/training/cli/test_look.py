"""`buck rules` as a person meets it."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from conformance import FILES, examples
from places import ROOT

from buck_env import PROFILES, Rules
from buck_env.game.house import explain_fields
from buck_env.records import write_records
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


def test_verify_prints_the_first_difference_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = examples()[0]
    record["result"]["tricks"][0] += 1
    path = tmp_path / "hands.jsonl"
    write_records(path, [record])  # type: ignore[list-item]
    assert main(["verify", str(path)]) == 1
    said = capsys.readouterr().err
    assert f"{path}:1" in said
    assert "tricks" in said
    assert main(["verify", str(FILES[0])]) == 0
    assert main(["verify", str(tmp_path / "none.jsonl")]) == 1
