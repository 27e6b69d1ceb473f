"""Programs in tournaments, evaluations, environments and games with people."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from entrants import stable
from programs import OHIO, Program, played

from agents import load_agent, tally_of
from agents.programs.settings import CommandSettings
from buck_env import BuckError
from buck_env.environments.seat import SeatEnv
from training.base.config import ConfigError, load_config
from training.cli.app import main
from training.measuring.evaluate import evaluate
from training.tournament.event import Results, TournamentConfig, play_tournament
from training.tournament.report.data import results_json
from training.tournament.report.table import results_table


def test_a_tournament_goes_on_and_reports_the_faults(program: Program) -> None:
    config = TournamentConfig(
        agents={"good": program.name("well"), "bad": program.name("crash", 20), "random": "random"},
        deals=3, matches=0, seed=1, on_fault="forfeit", timeout=60.0,
    )  # fmt: skip
    results = play_tournament(config, progress=False)
    assert results.complete
    good, bad = results.program_counts["good"], results.program_counts["bad"]
    assert set(good) == {"decisions"}
    assert bad["exit"] == bad["replaced"] > 3
    assert set(results.program_counts) == {"good", "bad"}
    table = results_table(results)
    assert f"good: 0 of {good['decisions']:,} decisions replaced.\n" in table
    assert (
        f"bad: {bad['exit']} of {bad['decisions']:,} decisions replaced: {bad['exit']} exit, the hands forfeit" in table
    )
    written = results_json(results)
    assert written["programs"] == {"good": good, "bad": bad}
    assert written["config"]["on_fault"] == "forfeit"
    del results
    assert program.is_gone()


def test_faults_are_the_same_whoever_plays_and_where_an_event_is_gone_on_with(program: Program, tmp_path: Path) -> None:
    def event(name: str, resume: bool = False, **different: Any) -> Results:
        config = TournamentConfig(
            agents={"bad": f"phases:stay={program.name('often illegal')},else=random", "random": "random"},
            out=tmp_path / name,
            **{"deals": 52, "matches": 2, "mixed": 0, "seed": 1, "on_fault": "forfeit", "timeout": 60.0, **different},
        )  # fmt: skip
        return play_tournament(config, keep=True, resume=resume, shard=1, progress=False)

    alone = event("alone")
    bad = alone.program_counts["bad"]
    assert 50 < bad["illegal"] == bad["replaced"] < bad["decisions"]
    assert set(alone.program_counts) == {"bad"}
    assert stable(event("two", processes=2)) == stable(alone)
    event("short", deals=50, matches=0)
    resumed = event("short", resume=True)
    assert 0 < resumed.played < resumed.hands_played
    assert resumed.code_changed == ["bad"]  # one of its files is its log
    assert stable(replace(resumed, code_changed=[])) == stable(alone)
    again = event("short", resume=True)
    assert again.played == 0
    assert stable(replace(again, code_changed=[])) == stable(alone)
    with pytest.raises(BuckError, match="another event: programs differ"):
        event("short", resume=True, on_fault="random")
    assert program.is_gone()


@pytest.mark.parametrize("processes", [1, 2])
def test_an_event_whose_program_declines_the_rules_ends_before_a_hand_is_kept(
    processes: int, program: Program, tmp_path: Path
) -> None:
    config = TournamentConfig(
        agents={"choosy": program.name("declines"), "random": "random"}, deals=50, matches=0, processes=processes,
        out=tmp_path / "event",
    )  # fmt: skip
    with pytest.raises(BuckError, match="declines the rules ohio"):
        play_tournament(config, keep=True, progress=False)
    assert not list((tmp_path / "event").glob("hands/*"))
    assert program.is_gone()


def test_a_tournament_file_says_what_programs_are_allowed(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("on_fault: forfeit\ntimeout: 2\nagents: [random, 'cmd:cat x']\n")
    config = load_config(TournamentConfig, tmp_path / "t.yaml", ["start_timeout=3.5"])
    assert config.programs == CommandSettings(on_fault="forfeit", timeout=2.0, start_timeout=3.5)
    for override, error in (
        ("on_fault=stop", "on_fault: 'stop'.*random.*forfeit"),
        ("timeout=0", "timeout: 0 is not allowed; allowed: a number above 0"),
    ):
        with pytest.raises(ConfigError, match=error):
            load_config(TournamentConfig, tmp_path / "t.yaml", [override])


def test_evaluate_reports_the_faults(program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = program.name("crash", 30)
    report = evaluate(name, "bucked-3", against=["random"], deals=5, out=tmp_path / "figures.json")
    tally = report["programs"][name]
    assert tally["exit"] == tally["replaced"] > 0
    assert json.loads((tmp_path / "figures.json").read_text())["programs"] == {name: tally}
    assert f"{tally['replaced']} of {tally['decisions']} decisions replaced: " in capsys.readouterr().out


def test_what_decided_nothing_itself_is_not_evaluated(program: Program, tmp_path: Path) -> None:
    with pytest.raises(BuckError, match=r"so that none of this is its own play: 3 start, .* given up; mend it"):
        evaluate(program.name("start crash"), "bucked-3", against=["random"], deals=5, out=tmp_path / "figures.json")
    with pytest.raises(BuckError, match="none of this is its own play"):
        evaluate("random", "bucked-3", against=[program.name("start crash")], deals=5, out=tmp_path / "figures.json")
    assert not list(tmp_path.glob("*.json"))


def test_it_plays_a_person_and_a_learner(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("builtins.input", lambda question: question.split("(")[1].split(")")[0].split(", ")[0].lower())
    assert main(["play", "--against", program.name("well"), "--hands", "1", "--seed", "2"]) == 0
    assert "Hand over." in capsys.readouterr().out
    env = SeatEnv(opponents=program.agent(OHIO, "junk", after=5))
    env.reset(seed=1)
    for _ in range(12):
        if env.step(int(env.action_masks().argmax()))[2]:
            env.reset()


def test_it_decides_one_phase_of_another_agent(program: Program) -> None:
    agent = load_agent(f"phases:play={program.name('illegal')},else=random", OHIO)
    assert np.array_equal(played(agent), played(load_agent("random", OHIO)))
    tally = tally_of(agent)
    assert tally["illegal"] == tally["replaced"] == tally["decisions"] > 10
    assert {json.loads(line)["phase"] for line in program.lines[1:]} == {"play"}
