"""Runs: how they begin, what they replace, their clock, and what they say at the end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from runs import SMALL, checksum, logged_steps, run

from agents import load_agent
from buck_env import BuckError, load_rules
from training.learning.run.loop import Run
from training.learning.self_play import SelfPlayLearner, TrainConfig, train


def test_the_end_of_a_run_says_what_its_bot_is_called_and_a_spent_budget_that_it_is(tmp_path: Path) -> None:
    for rules, learn, name in (
        ("ohio", None, "ppo:{}"),
        ("dirty-clubs", ["stay", "bid"], "phases:stay+bid=ppo:{},else=random"),
    ):
        out, said = tmp_path / rules, list[str]()
        settings = {"rules": rules, "learn": learn, "otherwise": "random", "decisions": 1_000}
        config = TrainConfig(out=str(out), **{**SMALL, **settings})
        train(config, said.append)
        assert said[-1] == f"plays {rules} as {name.format(out)}"
        assert load_agent(name.format(out), rules)
        bot = checksum(out)
        train(config, said.append, resume=True)
        assert any("its budget is spent, and more decisions= would" in line for line in said)
        assert checksum(out) == bot


@pytest.mark.parametrize(
    "wrong",
    [
        {"opponents": ["nobody"]},
        {"references": ["nobody"]},
        {"initial": "nowhere"},
        {"device": "xyz"},
        {"rules": "bucked", "initial": "IT"},
    ],
)
def test_a_run_is_replaced_only_by_one_that_can_begin(wrong: dict[str, Any], tmp_path: Path) -> None:
    folder = run(tmp_path / "bot", decisions=1_000)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    with pytest.raises(BuckError):
        run(folder, anew=True, **{key: str(folder) if value == "IT" else value for key, value in wrong.items()})
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_run_may_begin_from_the_bot_that_it_replaces(tmp_path: Path) -> None:
    folder = run(tmp_path / "bot", decisions=1_000)
    before = checksum(folder)
    run(folder, anew=True, initial=str(folder), decisions=1_000)
    assert checksum(folder) != before
    assert len(list((folder / "logs").glob("events*"))) == 1


@pytest.mark.parametrize("device", ["xyz", "meta", "cpu:7", "cuda:99"])
def test_a_device_that_is_not_there_is_refused(device: str, tmp_path: Path) -> None:
    with pytest.raises(BuckError, match=f"device: '{device}' is not allowed on this machine; allowed: cpu"):
        run(tmp_path / "bot", device=device)


def test_the_clock_of_a_run_leaves_out_compiling_and_pauses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now, compiled = [100.0], [5.0]
    monkeypatch.setattr("training.learning.run.loop.time.monotonic", lambda: now[0])
    monkeypatch.setattr("training.learning.run.loop.compile_seconds", lambda: compiled[0])
    config = TrainConfig(out=str(tmp_path / "bot"), **SMALL)
    rules = load_rules(config.rules)
    half = Run(config, rules, SelfPlayLearner(config, rules), resume=False)
    now[0], compiled[0] = 110.0, 9.0
    with half.paused():
        now[0] = 150.0
    now[0] = 152.0
    assert half.seconds == 8.0
    half.close()


def test_a_run_goes_on_where_nobody_reads_its_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(bar: Any, text: str) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("training.learning.run.loop.tqdm.write", gone)
    run(tmp_path / "bot", evaluate=1, evaluate_deals=2)
    assert json.loads((tmp_path / "bot" / "bot.json").read_text())["decisions"] >= 3_000


def test_a_run_is_not_lost_to_another_of_the_same_folder(tmp_path: Path) -> None:
    folder = run(tmp_path / "run", decisions=2_000)
    before = checksum(folder)
    with pytest.raises(BuckError, match="holds a run already"):
        run(folder, seed=2)
    assert checksum(folder) == before
    run(folder, seed=2, decisions=2_000, anew=True)
    assert checksum(folder) != before
    assert all(steps == sorted(set(steps)) for steps in logged_steps(folder).values())
