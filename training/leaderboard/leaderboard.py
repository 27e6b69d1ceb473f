"""All boards, the section of the page that shows them, and the picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from buck_env import PROFILES
from buck_env.base.files import replace_file
from training.leaderboard.board import make_board
from training.leaderboard.page import leaderboard_text, with_section
from training.leaderboard.picture import strength_png
from training.leaderboard.settings import Settings

__all__ = ["make_leaderboard"]


def make_leaderboard(
    profiles: Sequence[str], settings: Settings, folder: Path, page: Path, picture: Path, say: Callable[[str], None]
) -> None:
    """Measure the boards of some profiles, and write those of all that the folder then has into page and picture.

    The section of the page is replaced and the rest of it left as it is.
    """
    for profile in profiles:
        make_board(profile, settings, folder, say)
    kept = [folder / f"{profile}.json" for profile in PROFILES]
    boards = [json.loads(path.read_text(encoding="utf-8")) for path in kept if path.is_file()]
    replace_file(picture, strength_png(boards))
    replace_file(page, with_section(page.read_text(encoding="utf-8"), leaderboard_text(boards)).encode())
