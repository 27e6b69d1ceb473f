"""`buck verify`: the first difference is printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from conformance import FILES, examples

from buck_env.records import write_records
from training.cli.app import main


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
