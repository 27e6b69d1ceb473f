"""The window on a table, and what happens where none can open."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from buck_env.drawing import window
from buck_env.drawing.window import close_window, show_window

pygame = pytest.importorskip("pygame", reason="NOT CHECKED: pygame is not installed; install the extra human")


@pytest.fixture
def display(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """SDL's dummy display, closed before and after."""
    close_window()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield monkeypatch
    close_window()


def test_without_a_display_the_text_is_printed_and_noted_once(
    display: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    display.setenv("SDL_VIDEODRIVER", "none of SDL's")
    window._note_no_display.cache_clear()
    for _ in range(2):
        show_window(np.zeros((4, 6, 3), np.uint8), "the table", 1000)
    out, err = capsys.readouterr()
    assert out == "the table\nthe table\n"
    assert err.count("no display") == 1


@pytest.mark.usefixtures("display")
def test_one_window_serves_every_call_and_shows_the_last_picture() -> None:
    picture = np.random.default_rng(1).integers(0, 256, (40, 60, 3), np.uint8)
    show_window(np.zeros_like(picture), "", 1000)
    first = pygame.display.get_surface()
    show_window(picture, "", 1000)
    assert pygame.display.get_surface() is first
    assert first.get_size() == (60, 40)
    assert np.array_equal(pygame.surfarray.array3d(first).swapaxes(0, 1), picture)


@pytest.mark.usefixtures("display")
def test_a_window_that_was_closed_opens_again() -> None:
    show_window(np.zeros((4, 6, 3), np.uint8), "", 1000)
    close_window()
    assert pygame.display.get_surface() is None
    show_window(np.zeros((4, 6, 3), np.uint8), "", 1000)
    assert pygame.display.get_surface() is not None
