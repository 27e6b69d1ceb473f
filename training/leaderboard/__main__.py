"""`make leaderboard`: measure the agents, and write agents/README.md's section and its picture.

python -m training.leaderboard ohio --deals 2000
"""

from functools import partial
from typing import Annotated

from cyclopts import App, Parameter

from buck_env import PROFILES
from training.leaderboard.leaderboard import make_leaderboard
from training.leaderboard.settings import Places, Settings

USUAL = Settings()
app = App(name="leaderboard")


@app.default
def main(
    *profiles: str,
    settings: Annotated[Settings, Parameter(name="*")] = USUAL,
) -> None:
    """Measure some profiles, or all, and show in page and picture all that have been measured."""
    make_leaderboard(profiles or [*PROFILES], settings, Places(), partial(print, flush=True))


if __name__ == "__main__":
    app()
