"""An event on disk: gone on with, cut short, damaged or of something else."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from entrants import stable
from events import AGENTS, Eager, Interrupted, kept, run, small
from places import ROOT
from programs import Program

from buck_env import RULES_VERSION
from buck_env.base.errors import BuckError
from buck_env.game.rules import PROFILES
from training.cli.app import main
from training.measuring.arena import play_hands
from training.measuring.duplicate import deal_seeds
from training.tournament.event import play_tournament
from training.tournament.ledger import Ledger, kept_hands
from training.tournament.report.data import results_json
from training.tournament.report.wording import notes
from training.tournament.shards import Event, Job, play_shard


@pytest.mark.parametrize("decisions", [2_000, 20_000, 37_000])
def test_a_resumed_event_ends_as_one_that_was_never_interrupted(tmp_path: Path, decisions: int) -> None:
    first = kept(tmp_path, {**AGENTS, "eager": Interrupted(decisions)})
    assert not first.complete
    results = kept(tmp_path, resume=True)
    assert results.complete
    assert 0 < results.played < results.hands_played
    assert stable(results) == stable(run(deals=170))
    again = kept(tmp_path, resume=True)
    assert again.played == 0
    assert stable(again) == stable(results)


def test_an_event_may_go_on_for_longer_or_be_cut_short(tmp_path: Path) -> None:
    kept(tmp_path)
    assert stable(kept(tmp_path, resume=True, deals=230)) == stable(run(deals=230))
    assert stable(kept(tmp_path, resume=True, deals=60)) == stable(run(deals=60))


def test_an_event_resumed_for_more_deals_is_unfinished_until_then(tmp_path: Path) -> None:
    kept(tmp_path)
    assert not kept(tmp_path, {**AGENTS, "eager": Interrupted(20_000)}, deals=700, resume=True).complete
    with pytest.raises(BuckError, match="not finished"):
        kept(tmp_path, deals=700)
    assert stable(kept(tmp_path, deals=700, resume=True)) == stable(run(deals=700))


def test_deals_that_fill_no_block_are_not_played_again(tmp_path: Path) -> None:
    kept(tmp_path, deals=90)
    longer = kept(tmp_path, deals=150, resume=True)
    assert longer.played == 60 * len(longer.lineups.seatings)
    assert stable(longer) == stable(run(deals=150))
    assert kept(tmp_path, deals=150, resume=True).played == 0


def test_whole_blocks_are_one_file_each_and_parts_of_a_deal_are_found_again(tmp_path: Path) -> None:
    whole = kept(tmp_path, matches=0, deals=60)
    files = sorted(path.name for path in (tmp_path / "hands").iterdir())
    assert files[:2] == ["0000000000.parquet", "0000000050.parquet"]
    assert pq.read_table(tmp_path / "hands" / files[0]).num_rows == 50 * len(whole.lineups.seatings)
    event = json.loads((tmp_path / "event.json").read_text())
    for path in (tmp_path / "hands").glob("*"):
        path.unlink()
    parted = Event(whole.config.rules, AGENTS, whole.lineups, whole.config.seed)
    facts = {key: event[key] for key in ("versions", "rules", "agents", "sha256", "seed", "programs")}
    ledger = Ledger(tmp_path, parted, facts, {}, resume=True, anew=False)
    assert not list(ledger.read("hands", 60))
    jobs = [Job("hands", 0, 1, (0, 5)), Job("hands", 0, 1, (5, 39)), Job("hands", 1, 1, (0, 20))]
    for job in jobs:
        ledger.append(play_shard(parted, AGENTS, job))
    names = sorted(path.name for path in (tmp_path / "hands").iterdir())
    assert names == ["0000000000-00005.parquet", "0000000000.parquet", "0000000001.parquet"]
    assert kept_hands(tmp_path, 0)[1].shape == (39, 4)
    with pytest.raises(BuckError, match="keeps no hands of deal 1"):
        kept_hands(tmp_path, 1)
    again = kept(tmp_path, matches=0, deals=60, resume=True)
    assert stable(again) == stable(whole)
    assert again.played == 60 * 39 - 39 - 20


def test_a_kill_after_pieces_were_joined_leaves_no_hand_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = kept(tmp_path, matches=0, deals=60)
    folder = tmp_path / "hands"
    event = json.loads((tmp_path / "event.json").read_text())
    block = (folder / "0000000000.parquet").read_bytes()
    parted = Event(whole.config.rules, AGENTS, whole.lineups, whole.config.seed)
    facts = {key: event[key] for key in ("versions", "rules", "agents", "sha256", "seed", "programs")}
    for path in folder.glob("*"):
        path.unlink()
    ledger = Ledger(tmp_path, parted, facts, {}, resume=True, anew=False)
    jobs = [Job("hands", 0, 1, (0, 5)), Job("hands", 0, 1, (5, 39)), Job("hands", 1, 9), Job("hands", 10, 40)]
    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", lambda *_, **__: None)  # a kill comes before
        for job in jobs:
            ledger.append(play_shard(parted, AGENTS, job))
    (folder / "0000000010.parquet.tmp").write_bytes(b"PAR1")  # and another amid a write
    assert len(list(folder.iterdir())) == 5
    assert pq.read_metadata(folder / "0000000000.parquet").num_rows == 50 * 39
    for deal in (0, 1, 15, 45):
        assert kept_hands(tmp_path, deal)[1].shape == (39, 4)
    again = kept(tmp_path, matches=0, deals=60, resume=True)
    assert [path.name for path in folder.iterdir() if path.name < "0000000050"] == ["0000000000.parquet"]
    assert pq.read_table(folder).num_rows == 60 * 39
    assert pq.read_table(folder / "0000000000.parquet").equals(pq.read_table(pa.BufferReader(block)))
    assert stable(again) == stable(whole)
    assert again.played == 10 * 39


def test_an_event_makes_way_once_the_new_one_has_two_deals(tmp_path: Path) -> None:
    kept(tmp_path, deals=60)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    with pytest.raises(KeyboardInterrupt):
        kept(tmp_path, {**AGENTS, "eager": Interrupted(20)}, deals=60, seed=6)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
    assert not kept(tmp_path, {**AGENTS, "eager": Interrupted(2_000)}, deals=60, seed=6).complete
    assert stable(kept(tmp_path, deals=60, seed=6, resume=True)) == stable(run(deals=60, seed=6))


def test_an_event_gone_on_with_after_code_has_changed_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = Program(tmp_path)
    names = {"it": program.name("well"), "any": "random"}
    settings = {"agents": names, "deals": 4, "matches": 0, "mixed": 0, "out": str(tmp_path / "event")}
    first = play_tournament(small(**settings), keep=True, progress=False)
    assert first.code_changed == []
    with program.script.open("a") as file:
        file.write("# better now\n")
    again = play_tournament(small(**{**settings, "deals": 6}), resume=True, progress=False)
    assert again.code_changed == ["it"]
    assert "it: its code has changed" in capsys.readouterr().err
    assert any(note.startswith("Changed on the way: it.") for note in notes(again))
    later = play_tournament(small(**{**settings, "deals": 8}), resume=True, progress=False)
    assert later.code_changed == results_json(later)["code_changed"] == ["it"]


def test_an_event_killed_in_any_moment_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "killed"
    names = ["agents=[rules-v1, random]", "deals=4000", "matches=0", "mixed=0", "processes=2"]
    command = [sys.executable, "-m", "training.cli.app", "tournament", "ohio", *names, f"out={folder}"]
    process = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while len(list(folder.glob("hands/*.parquet"))) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert main(command[3:]) == 1  # it says what may be done
    assert main([*command[3:], "--resume"]) == 0
    assert main(["tournament", "ohio", *names[:-1], f"out={tmp_path / 'alone'}"]) == 0
    resumed, alone = (json.loads((tmp_path / name / "results.json").read_text()) for name in ("killed", "alone"))
    assert resumed.pop("run")["hands"] < alone.pop("run")["hands"]
    assert resumed == alone


@pytest.mark.parametrize("card", [None, "{}", '{"finished": true}'])
def test_a_folder_of_something_else_is_left_as_it_is(card: str | None, tmp_path: Path) -> None:
    (tmp_path / "hands").mkdir()
    (tmp_path / "hands" / "precious.txt").write_text("mine")
    if card is not None:
        (tmp_path / "event.json").write_text(card)
    for anew in (False, True):
        with pytest.raises(BuckError, match="of something else; give out= another folder"):
            kept(tmp_path, anew=anew)
    assert (tmp_path / "hands" / "precious.txt").read_text() == "mine"


def test_the_folder_of_an_event_is_only_taken_by_another_on_request(tmp_path: Path) -> None:
    with pytest.raises(BuckError, match="holds no event to resume"):
        kept(tmp_path, resume=True)
    kept(tmp_path, {**AGENTS, "eager": Interrupted(20_000)})
    with pytest.raises(BuckError, match="not finished; --resume goes on with it, --anew replaces it"):
        kept(tmp_path)
    with pytest.raises(BuckError, match=r"event\.json: is of another event: seed, seatings differ"):
        kept(tmp_path, resume=True, seed=6)
    with pytest.raises(BuckError, match="another event: seatings differ"):
        kept(tmp_path, resume=True, mixed=0)
    turned = small(agents=["other", "any", "eager"], out=str(tmp_path))
    with pytest.raises(BuckError, match="another event: agents"):  # kept points go by the places of agents
        play_tournament(turned, AGENTS, resume=True, progress=False)
    assert kept(tmp_path, anew=True).complete
    assert kept(tmp_path, seed=6).complete  # one that is finished makes way


def test_shards_hold_every_table_and_versions_are_kept(tmp_path: Path) -> None:
    results = kept(tmp_path)
    event = json.loads((tmp_path / "event.json").read_text())
    assert event["finished"] is True
    assert event["versions"]["rules"] == RULES_VERSION
    table = pq.read_table(tmp_path / "hands")
    assert table.num_rows == results.deals * len(event["seatings"])
    row = table.slice(len(event["seatings"]) + 3, 1).to_pylist()[0]
    assert row["deal"] == 1
    seeds = deal_seeds(5, 1, first=1)
    assert seeds[0] == results_json(results)["first_seeds"]["hands"] + 1
    again = play_hands(PROFILES["ohio"], AGENTS, np.array([event["seatings"][row["seating"]]]), seeds)
    assert again[0].tolist() == [row[f"points_{seat}"] for seat in range(4)]


@pytest.mark.parametrize("damage", [b"", b"PAR1", b"x" * 500])
def test_a_damaged_shard_is_named(tmp_path: Path, damage: bytes) -> None:
    kept(tmp_path)
    (tmp_path / "hands" / "0000000050.parquet").write_bytes(damage)
    with pytest.raises(BuckError, match=r"0000000050\.parquet: is not a shard of this event.*remove it"):
        kept(tmp_path, resume=True)
    (tmp_path / "hands" / "0000000050.parquet").unlink()
    assert stable(kept(tmp_path, resume=True)) == stable(run(deals=170))


def test_bots_are_named_by_their_checksums_and_another_bot_is_no_resume(tmp_path: Path) -> None:
    bot = Eager()
    bot.sha256 = "ab"  # type: ignore[attr-defined]
    results = kept(tmp_path, {**AGENTS, "eager": bot}, deals=60)
    assert results_json(results)["sha256"] == {"eager": "ab", "any": None, "other": None}
    bot.sha256 = "cd"  # type: ignore[attr-defined]
    with pytest.raises(BuckError, match="sha256 differ"):
        kept(tmp_path, {**AGENTS, "eager": bot}, deals=60, resume=True)


def test_an_event_that_the_version_before_began_goes_on(tmp_path: Path) -> None:
    kept(tmp_path, {**AGENTS, "eager": Interrupted(20_000)})
    facts = json.loads((tmp_path / "event.json").read_text())
    facts["versions"]["package"] = "0.1.0"
    (tmp_path / "event.json").write_text(json.dumps(facts))
    assert stable(kept(tmp_path, resume=True)) == stable(run(deals=170))
    facts["versions"]["package"] = "0.0.9"
    (tmp_path / "event.json").write_text(json.dumps(facts))
    with pytest.raises(BuckError, match="versions differ"):
        kept(tmp_path, resume=True)
