"""The report of a tournament and pages of hands: behaviour, swings, how intervals narrowed, and only text in them."""

from __future__ import annotations

import json
import shlex
import sys
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from places import CONFORMANCE

from agents import Agent, load_agent
from buck_env.environments.tables import Tables
from buck_env.game.actions import DROP, NUM_ACTIONS
from buck_env.game.rules import PROFILES
from buck_env.observation.views import Views
from buck_env.records import confirmed, read_records, verify_hand
from training.cli.app import main
from training.learning.figures import COUNTS, count_views
from training.measuring.arena import play_hands
from training.measuring.behaviour import BEHAVIOUR, RATES, count_hands
from training.measuring.counts import SEAT_COUNTS, as_numbers
from training.measuring.duplicate import deal_seeds
from training.tournament.event import Results, TournamentConfig, play_tournament
from training.tournament.hand_tally import HandTally
from training.tournament.lineups import make_lineups
from training.tournament.pages import draw_hand, draw_hands
from training.tournament.report import results_json
from training.tournament.report_page import _Axis, report_page
from training.tournament.shards import Event, Job, play_shard
from training.tournament.swings import SWINGS, played_again
from training.tournament.tally import BLOCK

DATA = CONFORMANCE
HOSTILE = "<script>alert(1)</script>"


class Eager:
    """The last legal action but dropping."""

    def act(self, views: Views) -> np.ndarray:
        mask = views.action_mask.copy()
        mask[:, DROP] = 0
        return np.asarray(NUM_ACTIONS - 1 - mask[:, ::-1].argmax(axis=1))


class Moody(Eager):
    """Eager, until its mood changes: then the first legal action."""

    def __init__(self, calls: float = float("inf")) -> None:
        self.calls = calls

    def act(self, views: Views) -> np.ndarray:
        self.calls -= 1
        return super().act(views) if self.calls >= 0 else views.action_mask.argmax(axis=1)


class Broken(Moody):
    """Eager, until it fails."""

    def act(self, views: Views) -> np.ndarray:
        if self.calls <= 0:
            raise ValueError("worn out")
        return super().act(views)


def played(agents: dict[str, Agent] | None = None, **settings: Any) -> Results:
    names = {"rules-v1": "rules-v1", "random": "random", "other": "random"}
    chosen = {label: label for label in agents} if agents else names
    config = TournamentConfig(**{"agents": chosen, "deals": 120, "seed": 3, **settings})
    return play_tournament(config, agents, progress=False)


# --- Behaviour --------------------------------------------------------------------------------------------------------


def by_name(counts: Any) -> dict[str, int]:
    """The sum of each count of (..., C)."""
    return {key: int(counts[key].sum()) for key in BEHAVIOUR.names or ()}


@cache
def counted_and_read(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The counts of 300 hands of a profile, and those that a reader of their records makes."""
    rules = PROFILES[name]
    tables = Tables(rules, 300, skip_forced=True)
    seats = rules.seats
    seating = np.arange(300 * seats).reshape(300, seats) % 3
    counts = np.zeros((3, seats), BEHAVIOUR)
    records: list[Any] = []

    def ended(rows: slice, tables: Tables, forfeited: np.ndarray) -> None:
        count_hands(tables.finals, seating[rows], rules, counts)
        records.extend(tables.record(row, finished=True) for row in range(tables.num_tables))

    agents = {label: load_agent("random", rules) for label in "abc"}
    play_hands(rules, agents, seating, deal_seeds(1, tables.num_tables), ended=ended)
    read = np.zeros_like(counts)
    for agent_of, record in zip(seating, records, strict=True):
        result = record["result"]
        for seat in range(seats):
            said = [(step["phase"], step["action"]) for step in record["steps"] if step["seat"] == seat]
            row = dict.fromkeys(BEHAVIOUR.names or (), 0)
            phases = [phase for phase, _ in said]
            row["hands"] = 1
            row["exchange_decisions"], row["exchanges"] = "exchange" in phases, ("exchange", "exchange") in said
            row["order_decisions"], row["orders"] = "order" in phases, ("order", "order") in said
            row["call_decisions"] = "call" in phases
            row["calls"] = any(phase == "call" and action != "pass" for phase, action in said)
            row["auctions"] = "bid" in phases
            row["bids"] = any(phase == "bid" and action != "pass" for phase, action in said)
            dropped = [("stay", "drop") in [(s["phase"], s["action"]) for s in record["steps"] if s["seat"] == other]
                       for other in range(seats)]  # fmt: skip
            alone = sum(dropped) == seats - 1
            bids = [int(s["action"][4:]) for s in record["steps"] if s["action"].startswith("bid:")]
            undertaken = max(bids) if bids else rules.maker_needs
            if result["maker"] == seat and not result["redeal"]:
                enough = alone or result["tricks"][seat] >= undertaken
                row |= {"made": 1, "successes": enough, "level": undertaken, "walkovers": alone}
                row["order_successes"], row["call_successes"] = row["orders"] and enough, row["calls"] and enough
            row["stay_decisions"] = "stay" in phases
            row["stays"] = row["stayers"] = ("stay", "stay") in said
            row["stay_successes"] = row["stays"] and result["tricks"][seat] >= rules.stayer_needs
            row["sweeps"] = result["tricks"][seat] == 5 and not alone
            for key, count in row.items():
                read[key][agent_of[seat], (seat - record["dealer"] - 1) % seats] += int(count)
    return counts, read


@pytest.mark.parametrize("name", PROFILES)
def test_behaviour_is_what_a_reader_of_the_records_would_count(name: str) -> None:
    counts, read = counted_and_read(name)
    assert by_name(counts) == by_name(read)
    assert (counts == read).all()
    assert by_name(counts)["hands"] == 300 * PROFILES[name].seats


def test_all_behaviour_that_is_counted_occurs_in_some_game() -> None:
    games = [by_name(counted_and_read(name)[1]) for name in PROFILES]
    assert [key for key in BEHAVIOUR.names or () if not sum(game[key] for game in games)] == []


@pytest.mark.parametrize("name", PROFILES)
def test_behaviour_and_the_learners_figures_count_alike(name: str) -> None:
    rules = PROFILES[name]
    counts = np.zeros((1, rules.seats), BEHAVIOUR)
    seen = np.zeros(1, COUNTS)

    def ended(rows: slice, tables: Tables, forfeited: np.ndarray) -> None:
        count_hands(tables.finals, np.zeros((len(tables.finals), rules.seats), np.int64), rules, counts)
        for seat in range(rules.seats):
            as_numbers(seen)[:] += as_numbers(count_views(tables.observe(seat, tables.finals)[0], rules))

    play_hands(
        rules, {"any": load_agent("random", rules)}, np.zeros((200, rules.seats), int), deal_seeds(0, 200), ended=ended
    )
    for key in ("hands", *SEAT_COUNTS):
        assert counts[key].sum() == seen[key].sum(), key


def test_a_seat_of_no_group_is_not_counted() -> None:
    rules = PROFILES["ohio"]
    counts = np.zeros((1, 4), BEHAVIOUR)
    count_hands(Tables(rules, 5).finals, np.array([[-1, 0, -1, -1]] * 5), rules, counts)
    assert counts["hands"][0].tolist() == [5, 0, 0, 0]  # the dealer of an empty table is seat 0
    assert as_numbers(counts)[0, 1:].sum() == 0


def test_a_shard_tells_of_each_block_what_its_deals_alone_would() -> None:
    rules = PROFILES["bucked-3"]
    agents = {label: load_agent("random", rules) for label in "ab"}
    event = Event(rules, agents, make_lineups(2, 3, 1, seed=0), seed=4)
    shard = play_shard(event, agents, Job("hands", 0, BLOCK + 20))
    assert shard.behaviour is not None
    assert shard.behaviour.shape == (2, 2, 3)
    for block, (first, deals) in enumerate(((0, BLOCK), (BLOCK, 20))):
        alone = play_shard(event, agents, Job("hands", first, deals)).behaviour
        assert alone is not None
        assert (alone[0] == shard.behaviour[block]).all()
        assert alone["hands"].sum() == deals * event.lineups.seatings.size
    assert play_shard(event, agents, Job("matches", 0, 2)).behaviour is None


def test_rates_are_told_with_what_they_are_out_of() -> None:
    results = played()
    told = results_json(results)["behaviour"]["random"]
    hands = results.deals * int((results.lineups.seatings == 1).sum())
    assert told["makes"]["of"] == hands
    assert told["makes"]["rate"] == told["makes"]["part"] / hands
    assert sum(place["of"] for place in told["makes"]["by_seat_from_dealer"]) == hands
    assert told["stays"]["phase"] == "stay"
    assert "bids" not in told, "there is no auction in ohio"
    assert {rate.name for rate in RATES} >= set(told)


def test_a_game_without_maker_tells_of_none() -> None:
    told = results_json(played(rules="stick-the-dealer", deals=50))["behaviour"]["random"]
    assert "makes" not in told
    assert "sweeps" in told


def test_rates_of_any_agent_are_told_of_all() -> None:
    results = played({"eager": Eager(), "random": load_agent("random", PROFILES["ohio"])}, deals=50)
    results.hands.behaviour[0] = 0
    told = results_json(results)["behaviour"]
    assert list(told["eager"]) == list(told["random"])
    assert told["eager"]["orders"]["rate"] is None


# --- Narrowing --------------------------------------------------------------------------------------------------------


def test_the_last_of_the_narrowing_intervals_is_that_of_the_ranking() -> None:
    results = played(deals=330)
    deals = [at for at, _ in results.narrowing]
    assert deals[0] == 50
    assert deals == sorted(set(deals))
    assert deals[-1] == 330
    assert results.narrowing[-1][1] == [standing.ranked_by.half for standing in results.standings]
    early = played(deals=100)
    assert early.narrowing == results.narrowing[: len(early.narrowing)]


@pytest.mark.parametrize(
    ("low", "high", "told"),
    [
        (0.0213, 0.0307, ["0.0213", "0.0307"]),
        (11_000, 19_000, ["11,000", "19,000"]),
        (50, 60, ["50", "60"]),
        (0.03, 0.3, ["0.05", "0.1", "0.2"]),
    ],
)
def test_an_axis_has_at_least_two_labels(low: float, high: float, told: list[str]) -> None:
    ticks = _Axis(low, high, 0, 100).ticks()
    assert [label for _, label in ticks] == told
    assert all(0 <= at <= 100 for at, _ in ticks)


# --- Swings -----------------------------------------------------------------------------------------------------------


def test_swings_are_the_largest_there_are_and_the_first_of_those() -> None:
    lineups = make_lineups(3, 4, 1, seed=2)
    scores = np.random.default_rng(0).choice([-5, 0, 1, 2, 4], size=(170, *lineups.seatings.shape)).astype(np.int16)
    tally = HandTally(lineups, np.zeros(0), seed=0)
    for first in range(0, 170, BLOCK):
        block = scores[first : first + BLOCK]
        tally.add(first, block, np.zeros((len(block), 0)), np.zeros_like(tally.behaviour))
    for x in range(3):
        for y in range(3):
            found = []
            for deal in range(170):
                for seat in range(4):
                    mine = int(scores[deal, lineups.pairs[x, y, seat], seat])
                    without = int(scores[deal, lineups.pairs[y, y, seat], seat])
                    found.append((-abs(mine - without), deal, seat, mine, without))
            size, deal, seat, mine, without = min(found)
            if size:
                assert tally.swings[:, x, y].tolist() == [mine, without, deal, seat]
            else:
                assert x == y


def test_swings_are_played_again_as_records_that_the_engine_confirms() -> None:
    results = played({name: load_agent(name, PROFILES["ohio"]) for name in ("rules-v1", "random")} | {"eager": Eager()})
    assert len(results.swings) == SWINGS
    assert [abs(swing.size) for swing in results.swings] == sorted((abs(s.size) for s in results.swings), reverse=True)
    toward = results.config.rules.toward
    for swing in results.swings:
        assert swing.records is not None, "random draws by the numbers it is given"
        for record, points in zip(swing.records, swing.points, strict=True):
            assert toward * verify_hand(record)[0]["deltas"][swing.seat] == points
        assert swing.records[0]["hands"] == swing.records[1]["hands"]


@pytest.mark.parametrize(
    ("kind", "why"),
    [(Moody, "when the agents were asked again they played to other points"), (Broken, "an agent failed when")],
)
def test_an_agent_that_is_not_the_same_again_leaves_its_swings_undrawn(kind: type[Moody], why: str) -> None:
    event = Event(PROFILES["ohio"], {}, make_lineups(2, 4, 1, seed=0), seed=3)
    others: dict[str, Agent] = {"random": load_agent("random", PROFILES["ohio"])}
    results = played({"moody": Eager(), **others}, deals=50)
    told = [replace(swing, records=None) for swing in results.swings]
    assert played_again(event, {"moody": Moody(), **others}, told) == results.swings
    other = played_again(event, {"moody": kind(0), **others}, told)
    assert any(swing.records is None for swing in other)
    assert f"Not drawn: {why}" in report_page(replace(results, swings=other))


@pytest.mark.parametrize("on_fault", ["random", "forfeit"])
def test_hands_in_which_a_program_was_at_fault_are_not_drawn_as_its_own(on_fault: str) -> None:
    agents = {"broken": f"cmd:{shlex.join([sys.executable, '-S', '-c', ''])}", "rules-v1": "rules-v1"}
    results = played(agents=agents, deals=50, on_fault=on_fault)
    assert results.swings
    assert not any(told["played_again"] for told in results_json(results)["swings"])
    page = report_page(results)
    assert page.count("Not drawn: a program was at fault in it") == len(results.swings)
    assert "to be stepped through" not in page


def test_ctrl_c_while_swings_are_played_again_leaves_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = played(deals=50)

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("training.tournament.swings.play_hands", interrupted)
    results = played(deals=50)
    assert results.complete
    assert results.swings == [replace(swing, records=None) for swing in whole.swings]
    told = report_page(results).count("Not drawn: the event was interrupted; --resume goes on with it.")
    assert told == len(results.swings) > 0


def test_where_nobody_ever_differs_there_are_no_swings() -> None:
    agents: dict[str, Agent] = {"one": Eager(), "other": Eager()}
    results = played(agents)
    assert results.swings == []
    assert "There are none" in report_page(results)


# --- Pages ------------------------------------------------------------------------------------------------------------


class Reader(HTMLParser):
    """The elements of a page, its text, and what it would fetch."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [value or "" for name, value in attributes if name in ("src", "href", "action", "srcset")]
        if tag not in ("meta", "link", "br", "line"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, f"{tag} closes another"

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_page_is_whole_fetches_nothing_and_holds_names_as_text() -> None:
    results = played({HOSTILE: Eager(), 'b" onload="x': load_agent("random", PROFILES["ohio"])}, matches=2)
    page = report_page(results)
    read = Reader(page)
    assert read.open == []
    assert all(link.startswith("#") for link in read.fetched)
    assert read.tags.count("script") == 1
    assert HOSTILE in read.text
    assert "onload" not in page.replace("b&#34; onload=", "")
    assert "url(" not in page
    assert "@import" not in page
    assert len(page.encode()) < 10**6
    assert read.tags.count("th") == page.count(" scope="), "every header says what it heads"


@pytest.mark.parametrize("name", PROFILES)
def test_every_game_has_its_report(name: str) -> None:
    results = played({label: load_agent("random", PROFILES[name]) for label in "abc"}, rules=name, deals=50, mixed=0)
    read = Reader(report_page(results))
    assert read.open == []
    assert "There is nothing to see: the event was too short" in read.text
    for told in results_json(results)["behaviour"].values():
        assert all(rate in read.text for rate in told)


def test_an_event_of_many_agents_has_a_report() -> None:
    agents = {f"agent {i}": load_agent("random", PROFILES["bucked-3"]) for i in range(10)}
    results = played(agents, rules="bucked-3", deals=100, until=0.01)
    read = Reader(report_page(results))
    assert read.open == []
    assert "until ± 0.01" in read.text


def test_a_drawn_hand_shows_every_step_and_its_result() -> None:
    where, record = next(read_records(DATA / "ohio.jsonl"))
    hand = draw_hand(record, "one", where=where)
    assert len(hand.frames) == len(record["steps"]) + 1
    assert hand.frames[0].said == "the cards are dealt"
    assert [len(cards) for cards in hand.frames[0].shown.hands] == [5, 5, 5, 5]
    assert hand.frames[-1].shown.deltas == record["result"]["deltas"]


@pytest.mark.parametrize("name", ["matches", *PROFILES])
def test_records_of_any_game_are_drawn(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "pages" / "hands.html"
    assert main(["replay", str(DATA / f"{name}.jsonl"), "--out", str(out), "--hands", "20", "--skip", "3"]) == 0
    count = sum(1 for _ in read_records(DATA / f"{name}.jsonl"))
    assert capsys.readouterr().out == f"20 of {count} hands: {out}\n"
    read = Reader(out.read_text(encoding="utf-8"))
    assert read.open == []
    assert read.tags.count("section") == 20
    assert f"Hands 4 to 23 of {count}" in read.text
    records = [record for _, record in read_records(DATA / f"{name}.jsonl")][3:23]
    assert read.tags.count("li") == sum(len(record["steps"]) + 1 for record in records)


def test_the_last_hand_of_a_match_of_so_many_hands_is_drawn_as_such() -> None:
    tables = Tables({"base": "bucked", "hands": 2}, 1, episode="match", skip_forced=True)
    tables.reset(5)
    hands = []
    while not tables.episodes["over"][0]:
        before = int(tables.episodes["hands"][0])
        tables.step(NUM_ACTIONS - 1 - tables.masks[:, ::-1].argmax(axis=1))
        if tables.flags[0, 3] or tables.episodes["hands"][0] > before:
            hands.append(tables.record(0, finished=True, match={"id": "m", "hand": len(hands)}))
    drawn, count = draw_hands(confirmed((f"f:{i}", hand) for i, hand in enumerate(hands)))
    assert count == len(drawn) == len(hands)
    assert drawn[-1].title == f"match m, hand {len(hands)}"
    alone = {key: value for key, value in hands[-1].items() if key != "match"}
    for last in (drawn[-1], draw_hands(confirmed([("f:1", alone)]))[0][0]):  # type: ignore[list-item]
        assert last.frames[-1].shown.winners == hands[-1]["result"]["winners"]


def test_a_file_given_twice_is_drawn_twice_alike(tmp_path: Path) -> None:
    path, out = str(DATA / "matches.jsonl"), tmp_path / "hands.html"
    count = sum(1 for _ in read_records(DATA / "matches.jsonl"))
    pages = []
    for skip in (0, count):
        assert main(["replay", path, path, "--out", str(out), "--hands", "9", "--skip", str(skip)]) == 0
        read = Reader(out.read_text(encoding="utf-8"))
        pages.append(read.text[read.text.index("match ") :])
    assert pages[0] == pages[1]


def test_a_page_does_not_take_the_place_of_its_records(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "hands.jsonl"
    path.write_bytes((DATA / "ohio.jsonl").read_bytes())
    assert main(["replay", str(path), "--out", str(tmp_path / "pages" / ".." / "hands.jsonl")]) == 1
    assert "hands.jsonl is one of the files to be drawn; name another" in capsys.readouterr().err
    assert path.read_bytes() == (DATA / "ohio.jsonl").read_bytes()
    for folder in (str(tmp_path), f"{tmp_path}/new/", ""):
        assert main(["replay", str(path), "--out", folder]) == 2
        assert f"--out: {folder!r} names no file but a folder" in capsys.readouterr().err


@pytest.mark.parametrize("options", [["--hands", "0"], ["--skip", "-1"], ["--skip", "9999"]])
def test_hands_that_there_are_not_cannot_be_drawn(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "hands.html"
    assert main(["replay", str(DATA / "ohio.jsonl"), "--out", str(out), *options]) == 1
    assert "allowed: " in capsys.readouterr().err
    assert not out.exists()


def test_a_damaged_file_is_refused_as_verify_refuses_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "hands.jsonl", tmp_path / "hands.html"
    lines = (DATA / "ohio.jsonl").read_text().splitlines()[:3]
    record = json.loads(lines[1])
    record["result"]["tricks"][0] += 1
    for damaged in ("", "{", "[]", json.dumps(record)):
        path.write_text("\n".join([lines[0], damaged]) if damaged else "")
        assert main(["verify", str(path)]) == 1
        told = capsys.readouterr().err
        assert told.startswith(f"buck: {path}")
        assert main(["replay", str(path), "--out", str(out)]) == 1
        assert capsys.readouterr().err == told
        assert not out.exists()
