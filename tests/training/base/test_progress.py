"""Progress is shown: by lines where there is no terminal."""

from __future__ import annotations

import pytest

from training.base.progress import Progress


def test_off_a_terminal_a_line_comes_now_and_then(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress("hands", "deals", 300, every=0.0) as progress:
        progress.add(1.25)
        progress.expect(200)
        progress.add(0.75)
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["hands: 1 of 300 deals after 0 s", "hands: 2 of 200 deals after 0 s"]


def test_nothing_is_shown_of_what_is_soon_done_or_is_not_to_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    for progress in (Progress("hands", "deals", 3), Progress("hands", "deals", 3, shown=False, every=0.0)):
        with progress:
            progress.add(3)
    assert capsys.readouterr().err == ""


def test_on_a_terminal_there_is_a_bar(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with Progress("hands", "deals", 4) as progress:
        progress.add(0.5)
        progress.add(3.5)
    assert "4.00/4.00" in capsys.readouterr().err
