"""Text and pictures that the environments return."""

from __future__ import annotations

import numpy as np
import pytest
from places import run_python
from walks import walk

from buck_env import PROFILES, BuckError, buck_euchre_v0
from buck_env.drawing.text import table_text
from buck_env.environments.rendering import check_render_mode, rendered

OHIO = PROFILES["ohio"]


def test_text_is_a_string_and_a_picture_an_array_each_as_its_viewer_sees_the_table() -> None:
    table = walk("ohio")["play"][0]
    texts = [rendered("ansi", table, OHIO, viewer) for viewer in (None, 0, 1)]
    assert texts == [table_text(table, OHIO, viewer) for viewer in (None, 0, 1)]
    assert len(set(texts)) == 3
    pictures = [rendered("rgb_array", table, OHIO, viewer) for viewer in (None, 0)]
    for picture in pictures:
        assert isinstance(picture, np.ndarray)
        assert (picture.dtype, picture.shape[2]) == (np.uint8, 3)
    assert not np.array_equal(pictures[0], pictures[1])


def test_without_a_mode_nothing_is_drawn_and_the_modes_are_named() -> None:
    env = buck_euchre_v0.raw_env()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode was not given; allowed: ansi, rgb_array"):
        assert env.render() is None


def test_a_window_that_cannot_be_drawn_is_not_offered_and_the_error_names_the_extra() -> None:
    code = """
import importlib.util
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "pygame" else find(name, *rest)
from buck_env import buck_euchre_v0
print(buck_euchre_v0.raw_env.metadata["render_modes"])
try:
    buck_euchre_v0.env(render_mode="human")
except ValueError as error:
    print(error)
"""
    assert run_python(code).splitlines() == [
        "['ansi', 'rgb_array']",
        "render_mode: 'human' needs pygame; install buck-euchre-rl[human]",
    ]
    check_render_mode("rgb_array")
    with pytest.raises(BuckError, match="render_mode: 'svg' is not allowed; allowed: ansi, rgb_array"):
        check_render_mode("svg")
