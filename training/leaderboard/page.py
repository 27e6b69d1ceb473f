"""The boards as the section of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from training.leaderboard.settings import AGENTS, REFERENCES, Settings

__all__ = ["HEADING", "board_table", "leaderboard_text", "with_section"]

HEADING = "## Leaderboard"
_USUAL = asdict(Settings())
_COLUMNS = ["agent", *(f"{what} among `{name}`" for name in REFERENCES for what in ("edge", "points"))]


def with_section(page: str, section: str) -> str:
    """A page whose section of the same heading, if it has one, is replaced; otherwise it is added at the end."""
    heading = section.partition("\n")[0]
    found = re.search(rf"^{re.escape(heading)}\n.*?(?=^## |\Z)", page, re.MULTILINE | re.DOTALL)
    if found is None:
        return f"{page.rstrip()}\n\n{section}"
    rest = page[found.end() :]
    return page[: found.start()] + section + (f"\n{rest}" if rest else "")


def leaderboard_text(boards: Sequence[Mapping[str, Any]]) -> str:
    """The section: how the figures were made, and a table a board."""
    settings = boards[0]["settings"]
    seed = settings["seed"]
    differs = [f"--{key.replace('_', '-')} {value}" for key, value in settings.items() if value != _USUAL[key]]
    options = f" OPTIONS='{' '.join(differs)}'" if differs else ""
    hours = ", ".join(f"`{board['profile']}` {board['seconds'] / 3600:.1f}" for board in boards)
    text = f"""{HEADING}

    make leaderboard{options}

A row is one seat of an agent among copies of `rules-v1`, and among copies of the profile's `pretrained` bot: its edge
over them and its points a hand, with 95% intervals, one cluster a deal. They are {settings["deals"]:,} duplicate deals,
or {settings["slow_deals"]:,} for agents that need more than {settings["slow"]:g} ms a decision; the seed is {seed}.

The best response is a network that learned against copies of the agent alone, for {settings["minutes"]:g} minutes on
one core (`buck exploit`, seed {seed}); the column has what it gains among them. It is empty for agents that need more
than {settings["too_slow"]:g} ms a decision, and for `cfr` and all that look ahead, which compiled code cannot ask. A
time is the median of single decisions with a choice, from hands of `rules-v1`, on one core. Other programs may have run
beside it: compare times within one table alone.

The figures took so many hours of one core: {hours}. Each figure is kept in `runs/leaderboard`
as it is made, so that a command that was interrupted goes on from there. The boards are kept in
[`training/leaderboard/boards`](../training/leaderboard/boards): a command that names one profile, as in
`make leaderboard OPTIONS=ohio`, leaves the others as they are.

![Edge among rules-v1 against milliseconds a decision, a panel a profile.](../notebooks/pictures/strength.png)
"""
    return "\n".join([text, *(board_table(board) for board in boards)])


def board_table(board: Mapping[str, Any]) -> str:
    """The table of a board, the best among the last reference first, and what is missing from it."""
    rows = sorted(board["rows"].items(), key=lambda row: -_rank(row[1]))
    lines = [
        f"### {board['profile']}",
        "",
        _line([*_COLUMNS, "best response gains", "ms a decision"]),
        _line(["---"] * (len(_COLUMNS) + 2)).replace(" ", ""),
        *(_line(_row(label, row)) for label, row in rows),
    ]
    missing = [f"`{label}`" for label in AGENTS if label not in board["rows"]]
    if missing:
        lines += ["", f"There was no run of {', '.join(missing)}."]
    return "\n".join(lines) + "\n"


def _rank(row: Mapping[str, Any]) -> float:
    """The edge among the last reference; the reference itself is even with its copies."""
    among = row["among"].get(REFERENCES[-1])
    return float(among["edge"]["mean"]) if among else 0.0


def _row(label: str, row: Mapping[str, Any]) -> list[str]:
    cells = [f"`{label}`"]
    for reference in REFERENCES:
        among = row["among"].get(reference)
        cells += [_estimate(among[what]) if among else "" for what in ("edge", "points")]
    return [*cells, _estimate(row["response"]) if row["response"] else "", f"{row['ms']:.2g}"]


def _estimate(figures: Mapping[str, float]) -> str:
    half = (figures["high"] - figures["low"]) / 2
    return f"{figures['mean']:+.2f} ± {half:.2f}"


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
