"""One hand record against the engine: every change to one is caught."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from conformance import examples

from buck_env import BuckError, RecordError, buck_euchre_v0
from buck_env.records import parse_record, verify


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
        with pytest.raises(BuckError) as caught:
            verify([("file:1", parse_record(json.dumps(changed), "file:1"))])
        assert len(str(caught.value)) > 10, name


def test_hands_of_a_format_with_a_number_of_them_are_confirmed_alone() -> None:
    env = buck_euchre_v0.env(rules={"base": "bucked", "hands": 2}, episode="match")
    env.reset(seed=3)
    records = []
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        deals = env.unwrapped._tables.episodes["hands"][0]
        env.step(env.action_space(agent).sample(observation["action_mask"]))
        if env.unwrapped._tables.episodes["hands"][0] != deals or env.terminations[agent]:
            records.append(env.unwrapped.record(finished=True))
    assert records[-1]["result"]["winners"]
    assert verify(("here", parse_record(json.dumps(record))) for record in records) == len(records)
    records[-1]["result"]["winners"] = [0, 1, 2, 3]
    with pytest.raises(RecordError, match="winners"):
        verify([("here", records[-1])])
