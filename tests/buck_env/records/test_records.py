"""Hand records and views: all conformance records are confirmed, and every change to one is told."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import oracle
import pytest
from houses import HOUSES, random_house
from places import CONFORMANCE

from buck_env import PROFILES, BuckError, RecordError, Rules, load_rules
from buck_env.game.hidden import hide
from buck_env.records import (
    parse_record,
    read_records,
    replay,
    table_from_view,
    verify,
    view_from_table,
    view_of,
    write_records,
)
from training.cli.app import main

FILES = sorted(CONFORMANCE.glob("*.jsonl"))


def test_every_conformance_record_is_confirmed() -> None:
    """RULES §14.1, §14.2, §14.3, §14.4."""
    assert sum(verify(read_records(path)) for path in FILES) == 1841


def examples() -> list[dict[str, Any]]:
    """A hand of every profile with many steps."""
    chosen = []
    for profile in PROFILES:
        path = next(path for path in FILES if path.stem == profile)
        records = [json.loads(line) for line in path.read_text().splitlines()]
        chosen.append(max(records, key=lambda record: len(record["steps"])))
    return chosen


def changes(record: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Every way of changing one thing about a record."""
    changed = []

    def change(name: str, edit: Any) -> None:
        other = copy.deepcopy(record)
        edit(other)
        changed.append((name, other))

    for i, step in enumerate(record["steps"]):
        change(f"step {i} cut", lambda r, i=i: r["steps"].pop(i))
        change(f"step {i} twice", lambda r, i=i: r["steps"].insert(i, r["steps"][i]))
        change(
            f"step {i} seat", lambda r, i=i: r["steps"][i].update(seat=(r["steps"][i]["seat"] + 1) % len(r["hands"]))
        )
        change(
            f"step {i} phase",
            lambda r, i=i, step=step: r["steps"][i].update(phase="stay" if step["phase"] != "stay" else "play"),
        )
        change(f"step {i} legal cut", lambda r, i=i: r["steps"][i].update(legal=r["steps"][i]["legal"][:-1]))
        change(f"step {i} legal more", lambda r, i=i: r["steps"][i]["legal"].append("zzz"))
        change(f"step {i} legal gone", lambda r, i=i: r["steps"][i].pop("legal"))
        change(f"step {i} key", lambda r, i=i: r["steps"][i].update(note=1))
        change(
            f"step {i} action",
            lambda r, i=i, step=step: r["steps"][i].update(
                action="exchange" if step["action"] != "exchange" else "pass"
            ),
        )
    result = record["result"]
    for key in ("tricks", "deltas", "scores"):
        for seat in range(len(record["hands"])):
            change(
                f"{key} {seat}",
                lambda r, key=key, seat=seat: r["result"][key].__setitem__(seat, r["result"][key][seat] + 1),
            )
    for seat in range(len(record["hands"])):
        change(
            f"stayed {seat}",
            lambda r, seat=seat: r["result"]["stayed"].__setitem__(seat, not r["result"]["stayed"][seat]),
        )
        change(f"start score {seat}", lambda r, seat=seat: r["scores"].__setitem__(seat, r["scores"][seat] + 1))
        change(f"hand {seat} card twice", lambda r, seat=seat: r["hands"][seat].__setitem__(0, r["hands"][seat][1]))
        change(f"hand {seat} card gone", lambda r, seat=seat: r["hands"][seat].pop())
    change("rest card gone", lambda r: r["rest"].pop())
    change("rest card unknown", lambda r: r["rest"].__setitem__(0, "1H"))
    change("redeal", lambda r: r["result"].update(redeal=not result["redeal"]))
    change("maker", lambda r: r["result"].update(maker=None if result["maker"] is not None else 0))
    change("trump", lambda r: r["result"].update(trump="H" if result["trump"] != "H" else "S"))
    change("winners", lambda r: r["result"].update(winners=[] if result["winners"] else [0]))
    change("dealer", lambda r: r.update(dealer=(r["dealer"] + 1) % len(r["hands"])))
    change("dealer no seat", lambda r: r.update(dealer=len(r["hands"])))
    change("dealer a bool", lambda r: r.update(dealer=True))
    change("key", lambda r: r.update(note=1))
    change("result key", lambda r: r["result"].update(note=1))
    change("no result", lambda r: r.pop("result"))
    change("rules", lambda r: r.update(rules="euchre"))
    return changed


@pytest.mark.parametrize("record", examples(), ids=lambda record: record["rules"])
def test_a_change_to_any_value_is_caught(record: dict[str, Any], tmp_path: Path) -> None:
    assert verify([("file:1", parse_record(json.dumps(record)))]) == 1
    for name, changed in changes(record):
        with pytest.raises(BuckError) as told:
            verify([("file:1", parse_record(json.dumps(changed), "file:1"))])
        assert len(str(told.value)) > 10, name


def test_matches_are_checked_as_sequences() -> None:
    """RULES §1.9, §14.5."""
    hands = list(read_records(next(path for path in FILES if path.stem == "matches")))
    first = hands[0][1]["match"]["id"]
    match = [hand for hand in hands if hand[1]["match"]["id"] == first]
    assert verify(match) == len(match) > 2
    for sequence in (
        match[1:],  # the first hand cut
        match[:1] + match[2:],  # one in the middle
        match[:-1],  # the last
        match[:1] + match,  # a hand twice
        match[::-1],
    ):
        with pytest.raises(RecordError, match=first):
            verify(sequence)


def test_verify_prints_the_first_difference_and_exits_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = examples()[0]
    record["result"]["tricks"][0] += 1
    path = tmp_path / "hands.jsonl"
    write_records(path, [record])  # type: ignore[list-item]
    assert main(["verify", str(path)]) == 1
    told = capsys.readouterr().err
    assert f"{path}:1" in told
    assert "tricks" in told
    assert main(["verify", str(FILES[0])]) == 0
    assert main(["verify", str(tmp_path / "none.jsonl")]) == 1


@pytest.mark.parametrize(
    "line", ["{", "[]", "1", '{"rules": "ohio"}', '{"rules": 1, "rules": 2}', "\xff", "[" * 100_000]
)
def test_what_is_no_record_is_told(line: str) -> None:
    with pytest.raises(RecordError, match="here:1"):
        parse_record(line.encode("latin-1"), "here:1")


def test_the_ten_is_read_both_ways_and_house_rules_by_their_base() -> None:
    record = examples()[0]
    text = json.dumps(record).replace('"T', '"10').replace(":T", ":10")
    other = json.loads(text)
    for step, original in zip(other["steps"], record["steps"], strict=True):
        step["legal"] = original["legal"]
    assert verify([("here", parse_record(json.dumps(other)))]) == 1
    record["rules"] = {"base": record["rules"]}
    assert verify([("here", parse_record(json.dumps(record)))]) == 1


@pytest.mark.parametrize("rules", HOUSES, ids=lambda rules: rules.name)
def test_a_view_read_back_is_the_table_as_its_seat_sees_it(rules: Rules) -> None:
    rng = random.Random(rules.name)
    ambiguous = compared = 0
    for _ in range(15):
        record: Any = oracle.play_random(rules, rng, renege=0.3)
        for number, table in enumerate(replay(record)):
            for seat in range(rules.seats):
                view = view_of(record, seat, number)
                assert "result" not in view
                text = json.dumps(view)
                try:
                    read_rules, read_table, read_seat = table_from_view(json.loads(text))
                except RecordError as error:
                    if rules.illegal_play != "renege" or "renege" not in str(error):
                        raise
                    ambiguous += 1
                    continue
                compared += 1
                assert (read_rules, read_seat) == (load_rules(rules), seat)
                assert read_table.tobytes() == hide(table, np.array([seat]), rules).tobytes(), (number, seat, text)
    assert compared > ambiguous


@pytest.mark.parametrize("rules", [*HOUSES, *(random_house("cutthroat", random.Random(s)) for s in range(3))],
                         ids=lambda rules: rules.name)  # fmt: skip
def test_a_view_is_told_from_the_table_alone_and_read_back(rules: Rules) -> None:
    rng = random.Random(rules.name)
    for _ in range(4):
        record: Any = oracle.play_random(rules, rng, renege=0.3)
        for number, table in enumerate(replay(record)):
            if number == len(record["steps"]):
                break
            for seat in range(rules.seats):
                seen = hide(table, np.array([seat]), rules)
                told, expected = view_from_table(seen, seat, rules), view_of(record, seat, number)
                for view in (told, expected):
                    view["hands"] = [hand and sorted(hand) for hand in view["hands"]]
                assert told == expected
                reneged = [other for other in range(rules.seats) if table["reneged"][0] >> other & 1]
                assert table_from_view(told, reneged=reneged)[1].tobytes() == seen.tobytes()


def test_a_table_that_no_hand_leads_to_is_refused() -> None:
    record: Any = examples()[0]
    *_, table = replay(record)
    with pytest.raises(RecordError, match="no hand leads to what seat 0 sees"):
        view_from_table(hide(table, np.array([0]), load_rules(record["rules"])), 0, load_rules("bucked"))


def test_a_view_hides_what_the_seat_may_not_know() -> None:
    """RULES §13.1, §13.2, §13.3, §13.4, §13.5, §14.6."""
    record: Any = next(r for r in examples() if r["rules"] == "stick-the-dealer")
    dealer = record["dealer"]
    other = (dealer + 1) % 4
    mine, theirs = view_of(record, dealer), view_of(record, other)
    assert mine["rest"] == record["rest"]
    assert theirs["rest"] == [None] * 4
    assert [hand is not None for hand in theirs["hands"]] == [seat == other for seat in range(4)]
    assert {step["action"] for step in theirs["steps"] if step["phase"] == "discard"} == {"discard:?"}
    assert all(("legal" in step) == (step["seat"] == other) for step in theirs["steps"])
    assert all(step["action"] != "discard:?" for step in mine["steps"])


def test_a_view_that_contradicts_itself_is_refused() -> None:
    record: Any = examples()[0]
    view: Any = view_of(record, 0)
    for edit in (
        lambda v: v["hands"].__setitem__(1, ["9C"] * 5),
        lambda v: v["hands"].__setitem__(0, None),
        lambda v: v["steps"][0].update(seat=(v["steps"][0]["seat"] + 1) % 4),
        lambda v: v["steps"][-1].update(action="play:" + v["hands"][0][0]),
        lambda v: v.update(dealer=7),
    ):
        changed = copy.deepcopy(view)
        edit(changed)
        with pytest.raises(RecordError):
            table_from_view(changed)
