"""A person at the table, in the terminal."""

from __future__ import annotations

from pathlib import Path

import pytest

from buck_env.records import read_records, verify
from training.cli.app import main


def test_a_person_plays_a_hand_and_its_record_is_confirmed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def answer(question: str) -> str:
        legal = question.split("(")[1].split(")")[0].split(", ")
        answers = iter([legal[0].lower()])
        return next(answers)

    monkeypatch.setattr("builtins.input", answer)
    path = tmp_path / "hands.jsonl"
    assert main(["play", "--rules", "dirty-clubs", "--hands", "2", "--seed", "3", "--record", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "Hand over." in shown
    assert "choices." in shown
    assert verify(read_records(path)) == 2


def test_a_person_may_err_and_leave(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["", "bid:9", "hello", "quit"])
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    assert main(["play", "--seed", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("is not possible now") == 3
    assert "You left the table." in shown


def test_a_person_may_ask_for_a_hint(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    answers = iter(["hint", "H", "quit"])
    monkeypatch.setattr("builtins.input", lambda question: next(answers))
    assert main(["play", "--seed", "1", "--coach", "random"]) == 0
    assert capsys.readouterr().out.count("random: pass 50%, order 50%") == 2
