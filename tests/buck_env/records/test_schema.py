"""What is a hand record, and how it is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conformance import examples
from places import CONFORMANCE
from walks import played

from buck_env import RecordError
from buck_env.records import parse_record, verify
from training.cli.app import main

HANDS = CONFORMANCE / "ohio.jsonl"


@pytest.mark.parametrize(
    "line", ["{", "[]", "1", '{"rules": "ohio"}', '{"rules": 1, "rules": 2}', "\xff", "[" * 100_000]
)
def test_what_is_no_record_is_refused(line: str) -> None:
    with pytest.raises(RecordError, match="here:1"):
        parse_record(line.encode("latin-1"), "here:1")


def test_the_ten_is_read_both_ways_and_house_rules_by_their_base() -> None:
    record = examples()[0]
    text = json.dumps(record).replace('"T', '"10').replace(":T", ":10")
    other = json.loads(text)
    for step, original in zip(other["steps"], record["steps"], strict=True):
        step["legal"] = original["legal"]
    assert verify([("here", parse_record(json.dumps(other)))]) == 1
    record["rules"] = {"base": record["rules"]}
    assert verify([("here", parse_record(json.dumps(record)))]) == 1


def test_a_record_names_no_file_and_a_file_holds_a_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "h.yaml"
    house.write_text("base: ohio")
    record = dict(played().record(0, finished=True), rules=str(house))
    with pytest.raises(RecordError, match=r"here: rules: .* is no profile"):
        verify([("here", record)])  # type: ignore[list-item]
    (tmp_path / "empty.jsonl").touch()
    assert main(["verify", str(tmp_path / "empty.jsonl")]) == 1
    assert "holds no record" in capsys.readouterr().err


def test_a_match_id_is_text() -> None:
    record = dict(played().record(0, finished=True), match={"id": "a\ud800", "hand": 0})
    with pytest.raises(RecordError, match=r"here: match.id: .*surrogates not allowed \(found 'a\\ud800'\)"):
        parse_record(json.dumps(record), "here")
