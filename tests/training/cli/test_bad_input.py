"""Bad input on the command line: one clear line, and nothing lost."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Any

import pytest
from places import CONFORMANCE
from walks import played

from agents import AgentError, load_agent
from buck_env.records import write_records
from training.cli.app import main

HANDS = CONFORMANCE / "ohio.jsonl"


@pytest.mark.parametrize("match", ["\x1b[2J\r\n\u202e", "x" * 100_000, "\x1b" * 100_000])
def test_an_error_is_one_line_of_bounded_length_that_can_be_printed(
    match: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = dict(played().record(0, finished=True), match={"id": match, "hand": 0})
    hands = tmp_path / "hands\udcff.jsonl"
    write_records(hands, [record])  # type: ignore[list-item]
    assert main(["verify", str(hands)]) == 1
    told = capsys.readouterr().err
    assert told.startswith(rf"buck: {tmp_path}/hands\udcff.jsonl:1: match ")
    assert told.endswith("\n")
    assert told[:-1].isprintable()
    assert len(told) < 10_000


def test_what_a_command_says_of_a_foreign_name_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "a\x1b[2J\nb\udcff.html"
    named = tmp_path / "c\x1b\u202e\udcff.jsonl"
    named.write_bytes(HANDS.read_bytes().splitlines()[0])
    assert main(["replay", str(named), "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"1 of 1 hands: {tmp_path}/a\\x1b[2J\\nb\\udcff.html\n"
    assert r"c\x1b\u202e\udcff.jsonl" in out.read_text(encoding="utf-8")


def test_an_agent_or_a_folder_whose_name_cannot_be_printed_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AgentError, match=r"agent: 'ppo:\\x1b\[2J' cannot be printed"):
        load_agent("ppo:\x1b[2J", "ohio")
    for command in ("train", "ppo", "tournament"):
        assert main([command, "ohio", r'out="a\0\ud800"']) == 1
        assert r"out: 'a\x00\ud800' is not allowed" in capsys.readouterr().err


@pytest.mark.parametrize("until", ["", " ", "nan", ".nan", "-1", "0", "1e400"])
def test_an_interval_that_is_none_is_refused(until: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tournament", "ohio", "--until", until]) == 1
    assert "until" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_named_with_its_option(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def full(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    out, there = tmp_path / "file" / "x", tmp_path / "file"
    there.touch()
    monkeypatch.setattr("training.tournament.event.play_tournament", full)
    for arguments, told in (
        (
            ["replay", str(HANDS), "--out", str(out)],
            f"{there}: File exists; mend that, or give another than --out {out}",
        ),
        (["play", "--record", str(out)], f"{out}: Not a directory; mend that, or give another than --record {out}"),
        (["tournament", "ohio", f"out={out}"], f"No space left on device; mend that, or give another than out={out}"),
    ):
        assert main(arguments) == 1
        assert capsys.readouterr().err == f"buck: {told}\n"


def test_a_person_adds_to_a_record_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "kept.jsonl"
    path.write_text("kept\n")
    monkeypatch.setattr("builtins.input", lambda _: "quit")
    assert main(["play", "--seed", "1", "--record", str(path)]) == 0
    assert path.read_text() == "kept\n"
