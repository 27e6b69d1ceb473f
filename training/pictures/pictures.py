"""All pictures of the README, drawn anew into a folder as small PNG files."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

from PIL import Image

from agents.bots.bot import read_bot
from agents.pretrained import pretrained_folder, pretrained_names
from buck_env.base.files import replace_file
from training.pictures.curves import curves_png
from training.pictures.table import table_in_play
from training.tournament.config import TournamentConfig
from training.tournament.event import play_tournament
from training.tournament.report.picture import payoff_png

__all__ = ["draw_pictures"]

_AGENTS = {
    "pretrained:ohio": "pretrained:ohio",
    "rules-v1, its drops": "phases:stay=pretrained:ohio,else=rules-v1",
    "rules-v1": "rules-v1",
    "random": "random",
}
_WIDTH = 960
"""The most pixels that a picture has across."""


def draw_pictures(folder: Path, deals: int = 2000) -> Iterator[Path]:
    """Draw the pictures into a folder and yield the path of each; the heat map is that of so many deals."""
    folder.mkdir(parents=True, exist_ok=True)
    yield _save(folder / "table.png", _table())
    yield _save(folder / "curves.png", _curves())
    yield _save(folder / "heat-map.png", _heat_map(deals))


def _table() -> Image.Image:
    """A seat that holds the left bower has to play to a trick in which it may play anything."""
    return Image.fromarray(table_in_play("ohio", "rules-v1", seed=137, plays=8, scores=[12, 19, 8, 16]))


def _curves() -> Image.Image:
    """The curves of the bots that were evaluated as they learned."""
    curves = {name: curve for name in pretrained_names() if (curve := read_bot(pretrained_folder(name))[0].curve)}
    return Image.open(io.BytesIO(curves_png(curves)))


def _heat_map(deals: int) -> Image.Image:
    config = TournamentConfig(agents=_AGENTS, deals=deals, mixed=0)
    return Image.open(io.BytesIO(payoff_png(play_tournament(config, progress=False))))


def _save(path: Path, picture: Image.Image) -> Path:
    """Write a picture with at most `_WIDTH` pixels across and 256 colours."""
    picture = picture.convert("RGB")
    picture.thumbnail((_WIDTH, 10_000), Image.Resampling.LANCZOS)
    content = io.BytesIO()
    picture.quantize(256, dither=Image.Dither.NONE).save(content, "png", optimize=True)
    replace_file(path, content.getvalue())
    return path
