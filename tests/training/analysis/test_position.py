"""Positions in files: views, positions and records cut short, and files that are none."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from conformance import examples

from buck_env import BuckError, load_rules
from buck_env.game.options import Phase
from buck_env.records import view_of
from training.analysis.position import read_position

RECORD = examples()[0]


def stay_step() -> int:
    return next(i for i, step in enumerate(RECORD["steps"]) if len(step["legal"]) > 1 and i > 2)


def cut() -> dict[str, Any]:
    record = {key: value for key, value in RECORD.items() if key not in ("result", "match")}
    return {**record, "steps": RECORD["steps"][: stay_step()]}


def written(path: Path, value: object) -> Path:
    file = path / "position.json"
    file.write_text(value if isinstance(value, str) else json.dumps(value, indent=1))
    return file


def test_a_record_cut_short_and_its_view_are_the_same_position(tmp_path: Path) -> None:
    seat = RECORD["steps"][stay_step()]["seat"]
    of_record = read_position(written(tmp_path, cut()))
    view = view_of(cut(), seat)  # type: ignore[arg-type]
    of_view = read_position(written(tmp_path, view))
    of_position = read_position(written(tmp_path, {"view": view, "seat": seat, "uniform": 0.25}))
    assert of_record.tables.tobytes() == of_view.tables.tobytes() == of_position.tables.tobytes()
    assert of_record.seats[0] == of_view.seats[0] == seat
    assert of_position.uniforms[0] == 0.25
    assert of_record.tables["phase"][0] != Phase.OVER
    hidden = [hand for other, hand in enumerate(of_record.tables["hand"][0]) if other != seat]
    assert not any(hidden)


def test_a_dash_reads_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(cut()).encode())))
    assert len(read_position(Path("-"))) == 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "is empty"),
        ("[1]", "not one JSON object but list"),
        ("{", "not one JSON object"),
        ("[" * 100_000, "not one JSON object"),
        ('{"a":1}\n{"a":2}', "--review"),
        ("{}", "rules"),
        ('{"view": 3}', "view"),
        ('{"view": {}, "more": 1}', "more"),
        ("x" * (2**20 + 1), "more than"),
        (json.dumps(RECORD), "the hand is over"),
        (json.dumps({**cut(), "steps": [{**RECORD["steps"][0], "action": "fly"}]}), "step 0"),
    ],
)
def test_a_file_that_is_no_position_gets_one_line(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BuckError, match=says) as caught:
        read_position(written(tmp_path, text))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 1000


def test_other_rules_than_those_asked_for_are_refused(tmp_path: Path) -> None:
    other = load_rules("cutthroat" if "cutthroat" not in str(RECORD["rules"]) else "ohio")
    with pytest.raises(BuckError, match="is of the rules"):
        read_position(written(tmp_path, cut()), other)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BuckError, match="cannot be read"):
        read_position(tmp_path / "none.json")
