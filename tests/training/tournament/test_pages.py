"""Pages of hands: every step is drawn, and bad files and options are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from places import CONFORMANCE
from reading import Reader

from buck_env.environments.tables import Tables
from buck_env.game.actions import NUM_ACTIONS
from buck_env.game.rules import PROFILES
from buck_env.records import confirmed, read_records
from training.cli.app import main
from training.tournament.pages import draw_hand, draw_hands


def test_a_drawn_hand_shows_every_step_and_its_result() -> None:
    where, record = next(read_records(CONFORMANCE / "ohio.jsonl"))
    hand = draw_hand(record, "one", where=where)
    assert len(hand.frames) == len(record["steps"]) + 1
    assert hand.frames[0].said == "the cards are dealt"
    assert [len(cards) for cards in hand.frames[0].shown.hands] == [5, 5, 5, 5]
    assert hand.frames[-1].shown.deltas == record["result"]["deltas"]


@pytest.mark.parametrize("name", ["matches", *PROFILES])
def test_records_of_any_game_are_drawn(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "pages" / "hands.html"
    assert main(["replay", str(CONFORMANCE / f"{name}.jsonl"), "--out", str(out), "--hands", "20", "--skip", "3"]) == 0
    count = sum(1 for _ in read_records(CONFORMANCE / f"{name}.jsonl"))
    assert capsys.readouterr().out == f"20 of {count} hands: {out}\n"
    read = Reader(out.read_text(encoding="utf-8"))
    assert read.open == []
    assert read.tags.count("section") == 20
    assert f"Hands 4 to 23 of {count}" in read.text
    records = [record for _, record in read_records(CONFORMANCE / f"{name}.jsonl")][3:23]
    assert read.tags.count("li") == sum(len(record["steps"]) + 1 for record in records)


def test_the_last_hand_of_a_match_of_so_many_hands_is_drawn_as_such() -> None:
    tables = Tables({"base": "bucked", "hands": 2}, 1, episode="match", skip_forced=True)
    tables.reset(5)
    hands = []
    while not tables.episodes["over"][0]:
        before = int(tables.episodes["hands"][0])
        tables.step(NUM_ACTIONS - 1 - tables.masks[:, ::-1].argmax(axis=1))
        if tables.flags[0, 3] or tables.episodes["hands"][0] > before:
            hands.append(tables.record(0, finished=True, match={"id": "m", "hand": len(hands)}))
    drawn, count = draw_hands(confirmed((f"f:{i}", hand) for i, hand in enumerate(hands)))
    assert count == len(drawn) == len(hands)
    assert drawn[-1].title == f"match m, hand {len(hands)}"
    alone = {key: value for key, value in hands[-1].items() if key != "match"}
    for last in (drawn[-1], draw_hands(confirmed([("f:1", alone)]))[0][0]):  # type: ignore[list-item]
        assert last.frames[-1].shown.winners == hands[-1]["result"]["winners"]


def test_a_file_given_twice_is_drawn_twice_alike(tmp_path: Path) -> None:
    path, out = str(CONFORMANCE / "matches.jsonl"), tmp_path / "hands.html"
    count = sum(1 for _ in read_records(CONFORMANCE / "matches.jsonl"))
    pages = []
    for skip in (0, count):
        assert main(["replay", path, path, "--out", str(out), "--hands", "9", "--skip", str(skip)]) == 0
        read = Reader(out.read_text(encoding="utf-8"))
        pages.append(read.text[read.text.index("match ") :])
    assert pages[0] == pages[1]


def test_a_page_does_not_take_the_place_of_its_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_bytes((CONFORMANCE / "ohio.jsonl").read_bytes())
    assert main(["replay", str(path), "--out", str(tmp_path / "pages" / ".." / "hands.jsonl")]) == 1
    assert "hands.jsonl is one of the files to be drawn; name another" in capsys.readouterr().err
    assert path.read_bytes() == (CONFORMANCE / "ohio.jsonl").read_bytes()
    for folder in (str(tmp_path), f"{tmp_path}/new/", ""):
        assert main(["replay", str(path), "--out", folder]) == 2
        assert f"--out: {folder!r} names no file but a folder" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--hands", "0"], ["--skip", "-1"], ["--skip", "9999"]])
def test_hands_that_there_are_not_cannot_be_drawn(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "hands.html"
    assert main(["replay", str(CONFORMANCE / "ohio.jsonl"), "--out", str(out), *options]) == 1
    assert "allowed: " in capsys.readouterr().err
    assert not out.exists()


def test_a_damaged_file_is_refused_as_verify_refuses_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "hands.jsonl", tmp_path / "hands.html"
    lines = (CONFORMANCE / "ohio.jsonl").read_text().splitlines()[:3]
    record = json.loads(lines[1])
    record["result"]["tricks"][0] += 1
    for damaged in ("", "{", "[]", json.dumps(record)):
        path.write_text("\n".join([lines[0], damaged]) if damaged else "")
        assert main(["verify", str(path)]) == 1
        error = capsys.readouterr().err
        assert error.startswith(f"buck: {path}")
        assert main(["replay", str(path), "--out", str(out)]) == 1
        assert capsys.readouterr().err == error
        assert not out.exists()
