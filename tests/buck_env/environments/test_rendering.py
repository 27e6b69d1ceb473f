"""Text and pictures that the environments return."""

from __future__ import annotations

import numpy as np
import pytest
from walks import walk

from buck_env import PROFILES, buck_euchre_v0
from buck_env.drawing.text import table_text
from buck_env.environments.rendering import rendered

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
    with pytest.warns(UserWarning, match="render_mode was not given; allowed: ansi, rgb_array, human"):
        assert env.render() is None
