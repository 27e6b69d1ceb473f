"""The leaderboard: figures that are kept, tables, and the section of a page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from training.leaderboard import board
from training.leaderboard.board import make_board
from training.leaderboard.leaderboard import make_leaderboard
from training.leaderboard.page import HEADING, board_table, with_section
from training.leaderboard.settings import REFERENCES, Places, Settings
from training.learning.gradient.findings import Exploit
from training.measuring.estimates import Estimate

SMALL = Settings(deals=6, slow_deals=3, seconds=0, hands=2, minutes=0.01, slow=1e9)
GAIN = Estimate(0.25, 0.2, 0.3, 6)


@pytest.fixture(autouse=True)
def _quick(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No network learns, and the rows are quick agents and one of which there is no run."""
    monkeypatch.setattr(board, "AGENTS", ("random", *REFERENCES, "cfr", "pimc:2"))

    def respond(agent: str, rules: str, *, out: Path, minutes: float, seed: int, deals: int, **_: Any) -> Exploit:
        return Exploit(agent, rules, str(out), minutes, seed, deals, GAIN, 1000)

    monkeypatch.setattr(board, "exploit", respond)
    monkeypatch.setattr(board, "RUNS", tmp_path / "runs")


def test_figures_are_made_once_and_kept_as_they_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    first = make_board("bucked-3", SMALL, tmp_path, said.append)
    assert list(first["rows"]) == ["random", *REFERENCES, "pimc:2"]
    assert any("cfr is left out" in line for line in said)
    among = first["rows"]["pimc:2"]["among"]
    assert {name: figures["edge"]["deals"] for name, figures in among.items()} == dict.fromkeys(REFERENCES, 6)
    assert list(first["rows"]["rules-v1"]["among"]) == ["pretrained"]
    responses = {label: row["response"] and row["response"]["mean"] for label, row in first["rows"].items()}
    assert responses == {"random": 0.25, "rules-v1": 0.25, "pretrained": 0.25, "pimc:2": None}
    for made in ("compare", "exploit", "milliseconds_of"):
        monkeypatch.setattr(board, made, None)  # whoever asks for more fails
    assert make_board("bucked-3", SMALL, tmp_path, said.append) == first


def test_other_settings_measure_anew_and_slow_agents_play_fewer_deals(tmp_path: Path) -> None:
    slow = Settings(deals=6, slow_deals=3, seconds=0, hands=2, slow=0, too_slow=0)
    rows = make_board("bucked-3", slow, tmp_path, lambda _: None)["rows"]
    assert rows["random"]["among"]["rules-v1"]["edge"]["deals"] == 3
    assert rows["random"]["response"] is None
    again = make_board("bucked-3", SMALL, tmp_path, lambda _: None)["rows"]
    assert again["random"]["among"]["rules-v1"]["edge"]["deals"] == 6


def test_page_and_picture_show_all_boards_and_the_rest_of_the_page_stays(tmp_path: Path) -> None:
    page, picture, boards = tmp_path / "page.md", tmp_path / "strength.png", tmp_path / "boards"
    page.write_text("# Agents\n\n## After\n\nText.\n")
    for profile in ("bucked-3", "cutthroat"):
        places = Places(figures=tmp_path / profile, boards=boards, page=page, picture=picture)
        make_leaderboard([profile], SMALL, places, lambda _: None)
    text = page.read_text()
    assert text.startswith("# Agents\n\n## After\n\nText.\n\n" + HEADING)
    assert [line for line in text.splitlines() if line.startswith("### ")] == ["### bucked-3", "### cutthroat"]
    assert text.count(HEADING) == 1
    assert json.loads((boards / "cutthroat.json").read_text())["profile"] == "cutthroat"
    assert "There was no run of `cfr`" in text
    with Image.open(picture) as drawn:
        assert drawn.width == 960


def test_a_table_has_the_best_first_and_empty_cells_where_nothing_was_measured() -> None:
    def figures(mean: float) -> dict[str, Any]:
        estimate = {"mean": mean, "low": mean - 0.05, "high": mean + 0.05}
        return {"edge": estimate, "points": estimate}

    rows = {
        "random": {"ms": 0.012, "among": dict.fromkeys(REFERENCES, figures(-2.0)), "response": None},
        "pretrained": {"ms": 0.2, "among": {"rules-v1": figures(0.4)}, "response": figures(0.1)["edge"]},
        "pimc:20": {"ms": 2.5, "among": dict.fromkeys(REFERENCES, figures(0.1)), "response": None},
    }
    lines = board_table({"profile": "ohio", "rows": rows}).splitlines()
    assert lines[4:7] == [
        "| `pimc:20` | +0.10 ± 0.05 | +0.10 ± 0.05 | +0.10 ± 0.05 | +0.10 ± 0.05 |  | 2.5 |",
        "| `pretrained` | +0.40 ± 0.05 | +0.40 ± 0.05 |  |  | +0.10 ± 0.05 | 0.2 |",
        "| `random` | -2.00 ± 0.05 | -2.00 ± 0.05 | -2.00 ± 0.05 | -2.00 ± 0.05 |  | 0.012 |",
    ]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("# A\n\n## Leaderboard\n\nold\n### x\n\n## B\n\nb\n", "# A\n\n## Leaderboard\n\nnew\n\n## B\n\nb\n"),
        ("# A\n\n## Leaderboard\n\nold\n", "# A\n\n## Leaderboard\n\nnew\n"),
        ("# A\n\na\n", "# A\n\na\n\n## Leaderboard\n\nnew\n"),
    ],
)
def test_a_section_takes_the_place_of_the_old_one_or_comes_last(page: str, expected: str) -> None:
    assert with_section(page, "## Leaderboard\n\nnew\n") == expected
