"""The pictures of the README."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from PIL import Image
from places import ROOT

from training.pictures.curves import curves_png
from training.pictures.pictures import draw_pictures
from training.pictures.table import table_in_play

MOST_BYTES = 60_000


def test_every_picture_is_small_and_in_the_readme(tmp_path: Path) -> None:
    drawn = list(draw_pictures(tmp_path, deals=2))
    shown = re.findall(r"notebooks/pictures/([\w-]+\.png)", (ROOT / "README.md").read_text())
    assert sorted(path.name for path in drawn) == sorted(shown)
    kept = [ROOT / "notebooks" / "pictures" / path.name for path in drawn]
    for path in drawn + kept:
        assert path.stat().st_size < MOST_BYTES, path
        with Image.open(path) as picture:
            assert picture.width == 960, path


def test_the_table_is_drawn_when_so_many_cards_have_been_played() -> None:
    before, after = (table_in_play("ohio", "rules-v1", seed=137, plays=plays) for plays in (0, 1))
    assert before.shape == after.shape == (640, 960, 3)
    assert not np.array_equal(before, after)


def test_curves_without_points_and_in_several_rows_are_drawn(tmp_path: Path) -> None:
    point = {"seconds": 60.0, "gain_over": "rules-v1", "mean": -0.1, "low": -0.2, "high": 0.0}
    curves = {"one": [point], "none": [], "others": [{**point, "gain_over": "random"}], "two": [point, point]}
    (tmp_path / "curves.png").write_bytes(curves_png(curves))
    with Image.open(tmp_path / "curves.png") as picture:
        assert picture.height > picture.width / 3
