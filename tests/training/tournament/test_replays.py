"""A deal of a kept event, played again by its agents and drawn."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from buck_env.base.files import replace_file
from buck_env.observation.views import Views
from training.cli.app import main
from training.tournament.event import TournamentConfig, play_tournament
from training.tournament.replays import replay_deal

DEAL = 7


class Moody:
    """The first legal action, and the last once its mood has changed."""

    calls = 0

    def __init__(self, rules: object) -> None:
        type(self).calls += 1

    def act(self, views: Views) -> np.ndarray:
        last = views.action_mask.shape[1] - 1 - views.action_mask[:, ::-1].argmax(axis=1)
        return views.action_mask.argmax(axis=1) if self.calls == 1 else last


@pytest.fixture
def event(tmp_path: Path) -> Path:
    play_tournament(
        TournamentConfig(agents={"a": "rules-v1", "b": "random"}, deals=60, seed=5, out=tmp_path / "event"),
        keep=True,
        progress=False,
    )
    return tmp_path / "event"


def test_a_deal_is_drawn_in_every_seating_with_the_points_that_were_kept(event: Path) -> None:
    hands = replay_deal(event, DEAL)
    table = pq.read_table(event / "hands" / f"{0:010d}.parquet")
    kept = np.stack([table[f"points_{seat}"].to_numpy()[table["deal"].to_numpy() == DEAL] for seat in range(4)], axis=1)
    seatings = json.loads((event / "event.json").read_text())["seatings"]
    assert [hand.names for hand in hands] == [["ab"[agent] for agent in seating] for seating in seatings]
    for hand, points in zip(hands, kept, strict=True):
        assert hand.title.endswith(": " + ", ".join(f"{score:+.0f}" for score in points))
        assert [-delta for delta in hand.frames[-1].shown.deltas or ()] == points.tolist()
    dealt = [hand.frames[0].shown.hands for hand in hands]
    assert all(cards == dealt[0] for cards in dealt)
    titles = [hand.title.partition(":")[0] for hand in hands]
    assert {"a in every seat", "b in every seat", "a in seat 2, b in the others"} <= set(titles)


def test_by_command(event: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    assert main(["replay", str(event), "--deal", str(DEAL), "--out", str(out), "--skip", "1", "--hands", "3"]) == 0
    count = len(json.loads((event / "event.json").read_text())["seatings"])
    assert capsys.readouterr().out == f"3 of {count} hands: {out}\n"
    assert f"event, deal {DEAL}" in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["event", "--deal", "60"], "keeps no hands of deal 60"),
        (["event", "--deal", "-1"], "keeps no hands of deal -1"),
        (["event"], "is a folder; where it is a tournament's, say which deal"),
        (["event", "event", "--deal", "1"], "one tournament's folder is needed"),
        (["event/event.json", "--deal", "1"], "one tournament's folder is needed"),
        (["no-such-folder", "--deal", "1"], "no-such-folder: one tournament's folder is needed"),
        (["event/hands", "--deal", "1"], "holds no event"),
        (["event", "--deal", "1", "--skip", "-1"], "--skip: -1 is not allowed; allowed: 0 to"),
    ],
)
def test_what_there_is_not_is_refused(
    arguments: list[str], message: str, event: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(event.parent)
    assert main(["replay", *arguments, "--out", "page.html"]) == 1
    assert message in capsys.readouterr().err
    assert not Path("page.html").exists()


def damage_checksum(facts: dict[str, object]) -> None:
    facts["sha256"] = {"a": "0" * 64, "b": None}


def damage_versions(facts: dict[str, object]) -> None:
    facts["versions"] = {"rules": 0}


def damage_rules(facts: dict[str, object]) -> None:
    del facts["rules"]


def damage_seatings(facts: dict[str, object]) -> None:
    facts["seatings"] = [[0, 1, 0, 1]]


@pytest.mark.parametrize("inside", ["event.json", "hands/0000000000.parquet", "hands/new", "matches/x/y.html"])
def test_a_page_does_not_take_the_place_of_what_is_kept(
    inside: str, event: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = {path: path.read_bytes() for path in event.rglob("*") if path.is_file()}
    assert main(["replay", str(event), "--deal", "1", "--out", str(event / inside)]) == 1
    assert "is one of the files to be drawn; name another" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in event.rglob("*") if path.is_file()} == kept


@pytest.mark.parametrize(
    "name", ["cmd:touch ran", "ran:Ran", "phases:play=cmd:touch ran,else=random", "names.yaml:short", "names.yaml:deep"]
)
def test_what_runs_code_is_not_run_unless_it_is_allowed(
    name: str, event: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    Path("ran.py").write_text("open('ran', 'w')\n")
    Path("names.yaml").write_text("short: 'cmd:touch ran'\ndeep: 'phases:play=short,else=random'\n")
    facts = json.loads((event / "event.json").read_text())
    facts["agents"]["b"] = name
    (event / "event.json").write_text(json.dumps(facts))
    assert main(["replay", str(event), "--deal", "1", "--out", "page.html"]) == 1
    assert f"event.json: {name} runs code; if you trust it, give --run-code" in capsys.readouterr().err
    assert not Path("ran").exists()


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (damage_checksum, "a is not the bot that played then"),
        (damage_versions, "was played with"),
        (damage_rules, "is damaged"),
        (damage_seatings, "is damaged: ValueError('seatings of shape (1, 4), but"),
        (lambda facts: facts.update(seatings=[[0, 1], [0]]), "is damaged"),
        (lambda facts: facts.update(seatings=[[0, 1]]), "is damaged"),
        (lambda facts: facts.update(seatings=[[9, 9, 9, 9]] * len(facts["seatings"])), "seating: 9 to 9 is not within"),
        (lambda facts: facts.update(seed=-1), "is damaged"),
        (lambda facts: facts.update(agents=["rules-v1"]), "is damaged"),
        (lambda facts: facts.update(programs={"timeout": "long"}), "is damaged"),
    ],
)
def test_another_event_than_was_played_is_refused(
    damage: Callable[[dict[str, object]], None], message: str, event: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    facts = json.loads((event / "event.json").read_text())
    damage(facts)
    (event / "event.json").write_text(json.dumps(facts))
    assert main(["replay", str(event), "--deal", "1", "--out", str(event / "page.html")]) == 1
    assert message in capsys.readouterr().err


def test_a_shard_that_cannot_be_read_is_named(event: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = event / "hands" / f"{0:010d}.parquet"
    replace_file(path, path.read_bytes()[:-9])
    assert main(["replay", str(event), "--deal", "1", "--out", str(event / "page.html")]) == 1
    assert f"{path}: cannot be read" in capsys.readouterr().err


def test_points_that_are_not_those_of_the_event_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Moody, "calls", 0)
    config = TournamentConfig(agents={"it": f"{__name__}:Moody", "b": "random"}, deals=50, out=tmp_path, mixed=0)
    play_tournament(config, keep=True, progress=False)
    titles = [hand.title for deal in range(5) for hand in replay_deal(tmp_path, deal, run_code=True)]
    changed = [title for title in titles if title.endswith(" in the event")]
    assert changed
    assert not [title for title in changed if title.startswith("b in every seat")]


@pytest.mark.parametrize("points", [["3"], [b"3"], [[3]], [None], [float("nan")]])
def test_points_that_are_no_numbers_are_told(
    points: list[object], event: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = event / "hands" / "0000000000.parquet"
    table = pq.read_table(path)
    at = table.column_names.index("points_0")
    pq.write_table(table.set_column(at, "points_0", pa.array(points * len(table))), path)
    assert main(["replay", str(event), "--deal", "0", "--out", "page.html"]) == 1
    assert f"{path}: cannot be read: points are not numbers" in capsys.readouterr().err


def test_an_event_nested_too_deep_is_told(event: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (event / "event.json").write_text("[" * 100_000)
    assert main(["replay", str(event), "--deal", "0", "--out", "page.html"]) == 1
    assert "event.json: cannot be read" in capsys.readouterr().err
