"""Labels in bulk: files that can be made again, gone on with, and read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from buck_env import BuckError, load_rules
from training.analysis import labels
from training.analysis.label_files import CARD_FILE, SETTINGS_FILE, write_labels
from training.analysis.labels import COLUMNS, Labelling
from training.analysis.position import read_position
from training.cli.app import main

RULES = load_rules("bucked")
SETTINGS = Labelling(RULES, ("rules-v1", "random"), "rules-v1", ("stay", "play"), 25, 4, 3)


@pytest.fixture(autouse=True)
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(labels, "SHARD", 10)


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_interrupted_labels_go_on_to_the_same_files(tmp_path: Path) -> None:
    files = write_labels(SETTINGS, tmp_path / "whole")
    assert [pq.read_table(file).num_rows for file in files] == [10, 10, 5]
    halted = write_labels(SETTINGS, tmp_path / "halted")
    halted[1].unlink()
    (tmp_path / "halted" / CARD_FILE).unlink()
    with pytest.raises(BuckError, match="--resume"):
        write_labels(SETTINGS, tmp_path / "halted")
    write_labels(SETTINGS, tmp_path / "halted", resume=True)
    assert contents(tmp_path / "whole") == contents(tmp_path / "halted")


def test_rows_hold_positions_that_can_be_analysed(tmp_path: Path) -> None:
    file = write_labels(SETTINGS, tmp_path / "labels")[0]
    table = pq.read_table(file)
    assert table.column_names == list(COLUMNS)
    for row in table.to_pylist():
        position = tmp_path / "position.json"
        position.write_text(row["position"])
        view = read_position(position)
        assert view.observation[0].tolist() == row["observation"]
        assert view.action_mask[0].tolist() == row["action_mask"]
        assert row["phase"] in SETTINGS.phases
        assert row["agent"] in SETTINGS.agents
        assert row["action"] in json.loads(row["position"])["legal"]
        legal = np.array(row["action_mask"]) != 0
        assert legal.sum() > 1
        assert not np.array(row["values"])[~legal].any()
    card = (tmp_path / "labels" / CARD_FILE).read_text()
    assert file.name in card
    assert all(f"`{column}`" in card for column in COLUMNS)


def test_other_settings_and_other_files_are_left_alone(tmp_path: Path) -> None:
    out = tmp_path / "labels"
    out.mkdir()
    (out / "mine.txt").write_text("mine")
    with pytest.raises(BuckError, match="other files"):
        write_labels(SETTINGS, out)
    (out / "mine.txt").unlink()
    (out / SETTINGS_FILE).write_text('{"seed": 4}')
    with pytest.raises(BuckError, match="were made with"):
        write_labels(SETTINGS, out, resume=True)
    (out / SETTINGS_FILE).write_text("{")
    with pytest.raises(BuckError, match="not one JSON object"):
        write_labels(SETTINGS, out, resume=True)


def test_the_command_names_what_is_not_allowed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["--rules", "bucked", "--out", str(tmp_path / "labels")]
    assert main(["label", *out, "--phases", "stay,fly"]) == 1
    assert "fly" in capsys.readouterr().err
    assert main(["label", *out, "--positions", "0"]) == 1
    assert main(["label", *out, "--model", "nobody"]) == 1
    assert not (tmp_path / "labels").exists()
    options = ["--model", "rules-v1", "--positions", "3", "--deals", "2", "--phases", "stay"]
    assert main(["label", *out, *options]) == 0
    assert (tmp_path / "labels" / CARD_FILE).exists()
