"""The window on a table, and what happens where none can open."""

from __future__ import annotations

import numpy as np
import pytest

from buck_env.drawing import window
from buck_env.drawing.window import show_window


def test_without_a_display_the_text_is_printed_and_noted_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("matplotlib.pyplot.get_backend", lambda: "agg")
    window._note_no_display.cache_clear()
    for _ in range(2):
        show_window(np.zeros((4, 6, 3), np.uint8), "the table")
    out, err = capsys.readouterr()
    assert out == "the table\nthe table\n"
    assert err.count("no display") == 1


def test_one_window_serves_every_call(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib.pyplot as plt

    monkeypatch.setattr(plt, "get_backend", lambda: "TkAgg")
    monkeypatch.setattr(plt, "show", lambda block: None)
    monkeypatch.setattr(plt, "pause", lambda seconds: None)
    plt.switch_backend("agg")
    before = len(plt.get_fignums())
    for shade in (0, 255):
        show_window(np.full((640, 960, 3), shade, np.uint8))
    assert len(plt.get_fignums()) == before + 1
    figure = plt.figure("Buck Euchre")
    assert [len(axes.images) for axes in figure.axes] == [1]
    assert np.asarray(figure.axes[0].images[0].get_array()).min() == 255
    plt.close(figure)
