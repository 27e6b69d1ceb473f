"""All boards, the section of the page that shows them, and the picture."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from buck_env import PROFILES
from buck_env.base.files import replace_file, write_json
from training.leaderboard.board import make_board
from training.leaderboard.page import leaderboard_text, with_section
from training.leaderboard.picture import strength_png
from training.leaderboard.settings import Places, Settings

__all__ = ["make_leaderboard"]


def make_leaderboard(profiles: Sequence[str], settings: Settings, places: Places, say: Callable[[str], None]) -> None:
    """Measure the boards of some profiles, and show all that are then kept in page and picture.

    The section of the page is replaced and the rest of it left as it is.
    """
    for profile in profiles:
        write_json(places.boards / f"{profile}.json", make_board(profile, settings, places.figures, say))
    kept = [places.boards / f"{profile}.json" for profile in PROFILES]
    boards = [json.loads(path.read_text(encoding="utf-8")) for path in kept if path.is_file()]
    replace_file(places.picture, strength_png(boards))
    page = places.page.read_text(encoding="utf-8")
    replace_file(places.page, with_section(page, leaderboard_text(boards)).encode())
