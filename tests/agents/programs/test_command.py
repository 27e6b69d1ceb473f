"""Programs that play: what they are sent and are not, what becomes of their faults, and that none is left behind."""

from __future__ import annotations

import io
import json
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bots import untrained
from places import ROOT
from test_agents import HOUSES, moments, resample

from agents import Agent, AgentError, choose, load_agent, tally_of
from agents.programs.command import CommandAgent
from agents.programs.faults import FORFEIT
from agents.programs.position import parse_position, position_of, views_of
from agents.programs.protocol import PROTOCOL, ProtocolError, hello
from agents.programs.serve import serve
from agents.programs.settings import CommandSettings
from buck_env import PROFILES, BuckError, RecordError, Rules, action_text, load_rules
from buck_env.environments.seat import SeatEnv
from buck_env.observation.views import Views
from buck_env.records import deal_record, phase_text, view_of
from training.base.config import ConfigError, load_config
from training.cli.app import main
from training.measuring.arena import forfeit_points, play_hands, play_matches
from training.measuring.evaluate import evaluate
from training.measuring.measures import deal_seeds, rotations
from training.tournament.event import Results, TournamentConfig, play_tournament
from training.tournament.report import results_json, results_table

EXAMPLES = ROOT / "agents" / "examples"

BOT = """
import json, os, subprocess, sys, time
log, mode, after = sys.argv[1], sys.argv[2], int(sys.argv[3])
subprocess.Popen(["sleep", "3600.5"], stdout=2 if mode == "mute" else None)  # a helper that it does not care for
def say(text): os.write(1, text if isinstance(text, bytes) else text.encode())
def fault(asked):
    if mode == "crash": sys.exit("no luck")
    if mode == "leave": sys.exit(0)
    if mode == "hang": time.sleep(3600)
    if mode == "illegal": return say(json.dumps({"id": asked["id"], "action": "play:XX"}) + "\\n")
    if mode == "elsewhere": return say(json.dumps({"id": asked["id"], "action": "bid:8"}) + "\\n")
    if mode == "no text": return say(json.dumps({"id": asked["id"], "action": ["play"]}) + "\\n")
    if mode == "half a pair": return say('{"id": %d, "action": "\\\\ud800"}\\n' % asked["id"])
    if mode == "error": return say(json.dumps({"id": asked["id"], "error": "I know not"}) + "\\n")
    if mode == "junk": say("let me think\\n")
    if mode == "blank": say("\\n")
    if mode == "not UTF-8": say(b"\\xff\\xfe\\x00\\n")
    if mode == "brackets": say("[" * 4000 + "\\n")
    if mode == "number": say('{"id": ' + "9" * 4000 + "}\\n")
    if mode == "other id": say('{"id": 10000000, "action": "pass"}\\n')
    if mode == "true": say('{"id": true, "action": "pass"}\\n')
    if mode == "flood":
        while True: say("x" * 60000)
    if mode == "lines":
        while True: say("x\\n" * 30000)
    if mode == "deaf":
        os.close(0)
        time.sleep(3600)
    if mode == "mute":
        os.close(1)
        time.sleep(3600)
if mode == "stderr": os.write(2, b"y" * 60000)
if mode == "start crash": sys.exit("no luck")
if mode == "start hang": time.sleep(3600)
if mode == "start junk": say("Welcome!\\n")
if mode == "start flood":
    while True: say("x" * 60000)
if mode == "start early": say('{"protocol": "buck-euchre-command-v1"}\\n{"id": 0, "action": "pass"}\\n')
if mode == "start other": say('{"protocol": "buck-euchre-command-v0"}\\n')
first = sys.stdin.readline()
with open(log, "a") as file: file.write(first)
say('{"protocol": "buck-euchre-command-v1", "name": "test"}\\n')
for number, line in enumerate(sys.stdin):
    with open(log, "a") as file: file.write(line)
    asked = json.loads(line)
    if number >= after: fault(asked)
    if mode == "stderr": os.write(2, b"z" * 200000 + b"\\n" * 9)
    if mode == "slow": time.sleep(0.02)
    if number < after or mode not in ("illegal", "elsewhere", "no text", "half a pair", "error"):
        say(json.dumps({"id": asked["id"], "action": asked["legal"][0]}) + "\\n")
"""


class First:
    """What the bot above does when it is well: the first legal action by its text."""

    def act(self, views: Views) -> np.ndarray:
        texts = [position_of(views, row)["legal"] for row in range(len(views))]
        phases = [phase_text(views.tables[i : i + 1]) for i in range(len(views))]
        legal = [np.flatnonzero(row) for row in views.action_mask]
        return np.array(
            [
                next(a for a in row if action_text(int(a), phase) == text[0])
                for row, phase, text in zip(legal, phases, texts, strict=True)
            ]
        )


class Program:
    """The bot above in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.log = folder / "log"
        self.script = folder / "bot.py"
        self.script.write_text(BOT)

    def name(self, mode: str, after: int = 0) -> str:
        return "cmd:" + shlex.join([sys.executable, "-S", str(self.script), str(self.log), mode, str(after)])

    def agent(self, rules: Rules, mode: str, after: int = 0, **settings: Any) -> CommandAgent:
        settings = {"timeout": 60.0, **settings}
        agent = load_agent(self.name(mode, after), rules, CommandSettings(**settings))
        assert isinstance(agent, CommandAgent)
        return agent

    @property
    def lines(self) -> list[bytes]:
        return self.log.read_bytes().splitlines()

    def running(self) -> list[str]:
        """It and its helpers, by their process groups, as far as they live."""
        table = subprocess.run(["ps", "-axwwo", "pgid=,args="], capture_output=True, text=True, check=True).stdout
        rows = [line.split(maxsplit=1) for line in table.splitlines()]
        groups = {row[0] for row in rows if row[-1].startswith(f"{sys.executable} -S {self.script}")}
        self.groups = groups | getattr(self, "groups", set())
        return [" ".join(row) for row in rows if row[0] in self.groups and "<defunct>" not in row[-1]]

    def is_gone(self, seconds: float = 10.0) -> bool:
        deadline = time.monotonic() + seconds
        while self.running() and time.monotonic() < deadline:
            time.sleep(0.05)
        return not self.running()


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


OHIO = load_rules("ohio")


def played(agent: Agent, deals: int = 8, rules: Rules = OHIO) -> np.ndarray:
    """Points (deals * S, S) of an agent in each seat in turn among random ones."""
    lineups = np.tile(rotations(0, 1, rules.seats), (deals, 1))
    seeds = np.repeat(deal_seeds(3, deals), rules.seats)
    return play_hands(rules, {"it": agent, "random": load_agent("random", rules)}, lineups, seeds)


# --- A program that is well -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["well", "stderr", "slow"])
def test_a_program_plays_as_it_answers(mode: str, program: Program) -> None:
    agent = program.agent(OHIO, mode)
    assert np.array_equal(played(agent), played(First()))
    assert agent.program_counts["decisions"] > 30
    assert set(agent.program_counts) == {"decisions"}
    assert len(program.running()) == 2  # it and its helper
    agent.close()
    assert program.is_gone()


def test_it_is_told_the_rules_first_and_then_what_a_seat_knows(program: Program) -> None:
    rules = load_rules({"base": "bucked", "target": 15})
    agent = program.agent(rules, "well")
    played(agent, 2, rules)
    agent.close()
    first, *more = map(json.loads, program.lines)
    assert first == hello(rules)
    assert load_rules(first["rules"]) == rules
    assert first["protocol"] == PROTOCOL
    assert [line["id"] for line in more] == list(range(len(more)))
    for line in more:
        assert list(line) == ["id", "seat", "phase", "legal", "hands_played", "reneged", "uniform", "view"]
        assert sum(hand is not None for hand in line["view"]["hands"]) == 1
        assert len(line["view"]["hands"][line["seat"]]) == 5
        assert all(("legal" in step) == (step["seat"] == line["seat"]) for step in line["view"]["steps"])


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: load_rules(house).name)
def test_the_lines_are_the_same_whatever_is_hidden(house: dict[str, object], program: Program) -> None:
    rules = load_rules(house)
    generator = np.random.default_rng(4)
    found = moments(rules, load_agent("random", rules), n=3)[::2]
    sent, changed = [], 0
    for again in (False, True):
        agent = program.agent(rules, "well")
        for tables, logs, _ in found:
            seen = Views.of(rules, tables, logs).tables
            others = tables.copy()
            for i in range(len(tables)) if again else ():
                others[i] = resample(tables[i], seen[i], generator)
            changed += int((others["hand"] != tables["hand"]).sum())
            agent.act(Views.of(rules, others, logs))
        agent.close()
        sent.append(program.log.read_bytes())
        program.log.unlink()
    assert sent[0] == sent[1]
    assert sent[0].count(b"\n") > 20
    assert changed > 20


def test_a_batch_may_be_larger_than_what_is_sent_ahead(program: Program) -> None:
    agent = program.agent(OHIO, "well")
    tables, logs, _ = moments(OHIO, load_agent("random", OHIO), n=150)[0]
    views = Views.of(OHIO, tables, logs)
    assert np.array_equal(agent.act(views), First().act(views))
    assert np.array_equal(agent.act(views.take(np.arange(3))), First().act(views)[:3])
    assert len(agent.act(views.take(np.arange(0)))) == 0
    assert agent.program_counts == Counter(decisions=153)


# --- A program at fault -----------------------------------------------------------------------------------------------

START = {
    "start crash": "ended with status 1; it said: 'no luck'",
    "start junk": "its first line is not|not a JSON object: 'Welcome!'",
    "start flood": "a line of more than 4096 bytes",
    "start early": "its first line is not",
    "start other": "its first line is not .*v0",
}


@pytest.mark.parametrize("mode", START)
def test_one_that_cannot_begin_is_given_up_and_plays_at_random(
    mode: str, program: Program, capfd: pytest.CaptureFixture[str]
) -> None:
    agent = program.agent(OHIO, mode)
    assert np.array_equal(played(agent), played(load_agent("random", OHIO)))
    decisions = agent.program_counts["decisions"]
    assert agent.program_counts == {"decisions": decisions, "start": 3, "given up": decisions, "replaced": decisions}
    told = capfd.readouterr().err.splitlines()
    assert [line.startswith(program.name(mode)) for line in told] == [True, True]  # each kind of fault once
    assert any(words in told[0] for words in START[mode].split("|")) or mode == "start other"
    assert program.is_gone()


FAULTS = {
    "crash": "exit",
    "leave": "exit",
    "mute": "exit",
    "junk": "output",
    "blank": "output",
    "not UTF-8": "output",
    "brackets": "output",
    "number": "output",
    "other id": "output",
    "true": "output",
    "flood": "output",
    "lines": "output",
}


@pytest.mark.parametrize(("mode", "kind"), FAULTS.items())
def test_one_that_fails_is_counted_and_started_again(mode: str, kind: str, program: Program) -> None:
    agent = program.agent(OHIO, mode, after=10)
    assert np.isfinite(played(agent)).all()
    decisions = agent.program_counts["decisions"]
    failures = (decisions - 1) // 11  # ten answers, and the eleventh decision goes without
    assert failures >= 2
    assert agent.program_counts["replaced"] == agent.program_counts[kind] >= failures
    assert set(agent.program_counts) == {"decisions", "replaced", kind}
    agent.close()
    assert program.is_gone()


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import os; os.close(2); os.close(1)", "ended with status 0"),
        ("import sys; sys.exit('no luck')", "ended with status 1; it said: 'no luck'"),
        ("import os; os.write(2, b'bye'); os.close(2); os.kill(os.getpid(), 9)", "ended by signal 9; it said: 'bye'"),
    ],
)
def test_its_last_words_are_told(code: str, told: str, capfd: pytest.CaptureFixture[str]) -> None:
    agent = load_agent(f"cmd:{shlex.join([sys.executable, '-S', '-c', code])}", OHIO)
    assert np.array_equal(played(agent, 1), played(load_agent("random", OHIO), 1))
    assert f": start: {told} (reported once)" in capfd.readouterr().err


@pytest.mark.parametrize("mode", ["hang", "deaf"])
def test_one_that_hangs_is_waited_for_no_longer_than_told(mode: str, program: Program) -> None:
    agent = program.agent(OHIO, mode, after=30, timeout=1.5)
    began = time.monotonic()
    played(agent)
    counts = agent.program_counts
    assert counts["timeout"] == counts["replaced"] == (counts["decisions"] - 1) // 31 >= 1
    assert time.monotonic() - began < 30
    agent.close()
    assert program.is_gone()


def test_one_that_hangs_at_the_start_is_given_up(program: Program) -> None:
    agent = program.agent(OHIO, "start hang", start_timeout=0.3)
    played(agent, deals=1)
    assert agent.program_counts["start"] == 3
    assert agent.program_counts["given up"] == agent.program_counts["decisions"]
    assert program.is_gone()


@pytest.mark.parametrize("mode", ["illegal", "elsewhere", "no text", "half a pair", "error"])
def test_illegal_answers_are_counted_and_replaced_by_random_actions(mode: str, program: Program) -> None:
    agent = program.agent(OHIO, mode)
    assert np.array_equal(played(agent), played(load_agent("random", OHIO)))
    decisions = agent.program_counts["decisions"]
    assert agent.program_counts == {"decisions": decisions, "replaced": decisions, "illegal": decisions}
    assert len(program.running()) == 2  # it is in step, and goes on


def test_one_that_fails_without_end_is_not_started_without_end(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agents.programs.command._IN_ALL", 10)
    agent = program.agent(OHIO, "leave", after=1)
    tables, logs, masks = moments(OHIO, load_agent("random", OHIO), n=30)[0]
    actions = agent.act(Views.of(OHIO, tables, logs))
    assert masks[np.arange(30), actions].all()
    assert agent.program_counts["exit"] == 10
    assert agent.program_counts["given up"] == 30 - 20
    assert program.is_gone()


def test_the_same_faults_give_the_same_game(program: Program) -> None:
    first, second = (played(program.agent(OHIO, "crash", after=7)) for _ in range(2))
    assert np.array_equal(first, second)


# --- Forfeits ---------------------------------------------------------------------------------------------------------


def test_who_forfeits_a_hand_pays_and_the_others_keep_what_they_score(program: Program) -> None:
    agent = program.agent(OHIO, "illegal", on_fault="forfeit")
    forfeited, random = played(agent, 12), played(load_agent("random", OHIO), 12)
    its = np.tile(np.eye(4, dtype=np.bool_), (12, 1))
    assert np.array_equal(forfeited[~its], random[~its])
    paid = forfeited[its] != random[its]
    assert (forfeited[its][paid] == -5).all()
    assert forfeit_points(OHIO) == -5
    assert 0.3 < paid.mean() < 1
    assert (forfeited[its] == -5).mean() > 0.8  # it was asked in nearly all hands


def test_a_forfeit_is_never_worth_it() -> None:
    for house, cost in (
        ({"base": "cutthroat"}, -5),
        ({"base": "ohio", "maker_penalty": 7}, -7),
        ({"base": "ohio", "stayer_penalty": 9, "drop_points": -2}, -9),
        ({"base": "ohio", "illegal_play": "renege", "renege_penalty": 12}, -12),
        ({"base": "ohio", "renege_penalty": 12}, -5),
        ({"base": "bucked", "walkover": "points", "walkover_points": -8}, -8),
    ):
        rules = load_rules(house)
        assert forfeit_points(rules) == cost
        everyone = np.zeros((300, rules.seats), np.int64)
        points = play_hands(rules, {"random": load_agent("random", rules)}, everyone, deal_seeds(1, 300))
        assert points.min() >= cost


def test_who_forfeits_in_a_match_has_not_won_it(program: Program) -> None:
    agents = {"it": program.agent(OHIO, "illegal", on_fault="forfeit"), "random": load_agent("random", OHIO)}
    matches = play_matches(OHIO, agents, rotations(0, 1, 4), np.arange(4))
    assert np.diagonal(matches.shares).tolist() == [0] * 4
    assert matches.shares.sum(axis=1).tolist() == [1] * 4
    among_its_like = play_matches(OHIO, agents, np.zeros((2, 4), np.int64), np.arange(2))
    plain = play_matches(OHIO, agents, np.ones((2, 4), np.int64), np.arange(2))
    assert np.array_equal(among_its_like.shares, plain.shares)


def test_no_other_agent_can_forfeit() -> None:
    class Shrug:
        def act(self, views: Views) -> np.ndarray:
            return np.full(len(views), FORFEIT)

    with pytest.raises(BuckError, match="may not action -1"):
        played(Shrug())


# --- Where programs sit down ------------------------------------------------------------------------------------------


def test_a_tournament_goes_on_and_tells_the_faults(program: Program) -> None:
    config = TournamentConfig(
        agents={"good": program.name("well"), "bad": program.name("crash", 20), "random": "random"},
        deals=3, matches=0, seed=1, on_fault="forfeit", timeout=60.0,
    )  # fmt: skip
    results = play_tournament(config, progress=False)
    assert results.complete
    good, bad = results.tallies["good"], results.tallies["bad"]
    assert set(good) == {"decisions"}
    assert bad["exit"] == bad["replaced"] > 3
    assert set(results.tallies) == {"good", "bad"}
    told = results_table(results)
    assert f"good: 0 of {good['decisions']:,} decisions replaced.\n" in told
    assert (
        f"bad: {bad['exit']} of {bad['decisions']:,} decisions replaced: {bad['exit']} exit, the hands forfeit" in told
    )
    written = results_json(results)
    assert written["programs"] == {"good": good, "bad": bad}
    assert written["config"]["on_fault"] == "forfeit"
    del results
    assert program.is_gone()


def test_faults_are_the_same_whoever_plays_and_where_an_event_is_gone_on_with(program: Program, tmp_path: Path) -> None:
    def event(name: str, resume: bool = False, **different: Any) -> Results:
        config = TournamentConfig(
            agents={"bad": f"phases:stay={program.name('illegal')},else=random", "random": "random"},
            out=tmp_path / name,
            **{"deals": 52, "matches": 2, "mixed": 0, "seed": 1, "on_fault": "forfeit", "timeout": 60.0, **different},
        )  # fmt: skip
        return play_tournament(config, keep=True, resume=resume, shard=1, progress=False)

    def told(results: Results) -> dict[str, Any]:
        return {key: value for key, value in results_json(results).items() if key != "run"}

    alone = event("alone")
    bad = alone.tallies["bad"]
    assert bad["illegal"] == bad["replaced"] == bad["decisions"] > 100
    assert set(alone.tallies) == {"bad"}
    assert told(event("two", processes=2)) == told(alone)
    event("short", deals=50, matches=0)
    resumed = event("short", resume=True)
    assert 0 < resumed.played < resumed.hands_played
    assert told(resumed) == told(alone)
    again = event("short", resume=True)
    assert again.played == 0
    assert told(again) == told(alone)
    with pytest.raises(BuckError, match="another event: programs differ"):
        event("short", resume=True, on_fault="random")
    assert program.is_gone()


def test_a_tournament_file_says_what_programs_are_allowed(tmp_path: Path) -> None:
    (tmp_path / "t.yaml").write_text("on_fault: forfeit\ntimeout: 2\nagents: [random, 'cmd:cat x']\n")
    config = load_config(TournamentConfig, tmp_path / "t.yaml", ["start_timeout=3.5"])
    assert config.programs == CommandSettings(on_fault="forfeit", timeout=2.0, start_timeout=3.5)
    for override, told in (
        ("on_fault=stop", "on_fault: 'stop'.*random.*forfeit"),
        ("timeout=0", "timeout: 0 .*greater"),
    ):
        with pytest.raises(ConfigError, match=told):
            load_config(TournamentConfig, tmp_path / "t.yaml", [override])


def test_evaluate_tells_the_faults(program: Program, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("", "allowed: cmd:COMMAND, as in cmd:node"),
        ("   ", "allowed: cmd:COMMAND, as in cmd:node"),
        ("node 'mybot.js", "No closing quotation"),
        ("no-such-program x", "there is no program 'no-such-program'"),
        ("./README.md", "there is no program './README.md'"),
    ],
)
def test_a_command_that_cannot_be_run_is_told_at_once(command: str, told: str) -> None:
    with pytest.raises(AgentError, match=told):
        load_agent(f"cmd:{command}", OHIO)


# --- Nothing is left behind -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_no_process_is_left_when_the_event_is_stopped(how: signal.Signals, program: Program, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "training.cli.app",
        "evaluate",
        "random",
        "--against",
        program.name("hang"),
        "--deals",
    ]
    figures = ["--json", str(tmp_path / "figures.json")]
    event = subprocess.Popen([*command, "2", *figures], cwd=ROOT, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not program.log.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(program.running()) == 2
    event.send_signal(how)
    _, told = event.communicate(timeout=30)
    assert event.returncode == (-how if how == signal.SIGKILL else 130), told
    assert program.is_gone()


def test_no_process_is_left_at_the_end_of_a_script_and_a_fork_has_one_of_its_own(program: Program) -> None:
    code = f"""
import os, sys
sys.path[:0] = [{str(ROOT / "tests")!r}]
from test_command import *
agent = load_agent({program.name("well")!r}, OHIO)
expected = played(agent)
child = os.fork()
if not child:
    os._exit(not np.array_equal(played(agent), expected))
assert os.waitpid(child, 0)[1] == 0
assert np.array_equal(played(agent), expected)
assert set(agent.program_counts) == {{"decisions"}}
"""
    script = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert script.returncode == 0, script.stderr
    assert script.stderr == ""
    assert len([line for line in program.lines if b"protocol" in line]) == 2
    assert program.is_gone()


def test_an_agent_that_is_dropped_takes_its_program_along(program: Program) -> None:
    agent = program.agent(OHIO, "well")
    played(agent, 1)
    assert program.running()
    del agent
    assert program.is_gone()


# --- A bot of ours as a program ---------------------------------------------------------------------------------------


def served(name: str, rules: Rules | None, *lines: Any) -> list[Any]:
    """What `buck bot` answers to some lines, JSON unless they are bytes."""
    text = b"".join(line if isinstance(line, bytes) else json.dumps(line).encode() + b"\n" for line in lines)
    answers = io.BytesIO()
    serve(name, load_agent, rules, io.BufferedReader(io.BytesIO(text)), answers)  # type: ignore[arg-type]
    return [json.loads(line) for line in answers.getvalue().splitlines()]


@pytest.mark.parametrize("house", [*PROFILES, *HOUSES[6:9]], ids=lambda house: load_rules(house).name)
def test_a_bot_at_the_other_end_decides_as_it_does_here(house: Any, tmp_path: Path) -> None:
    rules = load_rules(house)
    bot = untrained(tmp_path / "bot", rules)
    found = moments(rules, load_agent("random", rules), n=6)[::4]
    for name in ("random", "rules-v1", f"ppo:{bot}", f"ppo:{bot}@sampled"):
        agent = load_agent(name, rules)
        for tables, logs, _ in found:
            views = Views.of(rules, tables, logs)
            positions = [{"id": row, **position_of(views, row)} for row in range(len(views))]
            ready, *answers = served(name, None, hello(rules), *positions)
            assert ready == {"protocol": PROTOCOL, "agent": name}
            actions = agent.act(views)
            phases = [position["phase"] for position in positions]
            expected = [action_text(int(action), phase) for action, phase in zip(actions, phases, strict=True)]
            assert answers == [{"id": row, "action": text} for row, text in enumerate(expected)]


@pytest.mark.parametrize("profile", ["ohio", "cutthroat"])
def test_a_bot_of_ours_as_a_program_plays_as_the_bot_itself(profile: str, tmp_path: Path) -> None:
    rules = load_rules(profile)
    name = f"ppo:{untrained(tmp_path / 'bot', rules)}@sampled"
    command = f"cmd:{shlex.join([sys.executable, '-m', 'training.cli.app', 'bot', name, '--rules', profile])}"
    agent = load_agent(command, rules)
    assert np.array_equal(played(agent, 8, rules), played(load_agent(name, rules), 8, rules))
    assert set(tally_of(agent)) == {"decisions"}


def test_a_host_may_say_no_more_than_it_must() -> None:
    tables, logs, _ = moments(OHIO, load_agent("random", OHIO), n=1)[0]
    view = view_of(deal_record(logs[0], OHIO), int(tables["seat"][0]))
    for first in ({"protocol": PROTOCOL, "rules": "ohio"}, {"protocol": PROTOCOL}):
        ready, answer = served("rules-v1", None if "rules" in first else OHIO, first, {"view": view})
        assert ready["protocol"] == PROTOCOL
        assert answer == {"id": None, "action": choose(load_agent("rules-v1", OHIO), view)}


def test_what_cannot_be_answered_is_told_and_the_rest_is_answered() -> None:
    tables, logs, _ = moments(OHIO, load_agent("random", OHIO), n=1)[0]
    position = position_of(Views.of(OHIO, tables, logs), 0)
    other = {"id": 1, **position, "view": {**position["view"], "rules": "bucked"}}
    wrong = {"id": 2, **position, "legal": ["stay"]}
    unknown = {"id": 3, **position, "cards": []}
    _, *answers = served("random", OHIO, hello(OHIO), b"what?\n", b"[1]\n", b"\xff\n", other, wrong, unknown,
                         {"id": "x", **position}, {"id": 4})  # fmt: skip
    errors = [answer.get("error", "") for answer in answers]
    assert [answer["id"] for answer in answers] == [None, None, None, 1, 2, 3, "x", 4]
    for error, told in zip(
        errors,
        ["not one JSON object", "not a JSON object", "not one JSON object", "rules", "legal: ['stay'] is given", "cards",
         "", "view: Field required"],
        strict=True,
    ):  # fmt: skip
        assert told in error
    assert answers[6]["action"] in position["legal"]


@pytest.mark.parametrize(
    ("first", "told"),
    [
        (b"", "first line: not one JSON object"),
        (b"hello\n", "first line: not one JSON object"),
        ({"rules": "ohio"}, "protocol is None; allowed: 'buck-euchre-command-v1'"),
        ({"protocol": "buck-euchre-command-v9", "rules": "ohio"}, "protocol is 'buck-euchre-command-v9'"),
        ({"protocol": PROTOCOL, "actions_version": 99}, "actions_version is 99"),
        ({"protocol": PROTOCOL, "rules": "configs/rules/bucked-15.yaml"}, "rules: 'configs.*allowed: ohio"),
        ({"protocol": PROTOCOL, "rules": ["ohio"]}, "rules: .*allowed: ohio"),
        ({"protocol": PROTOCOL}, "rules: None; allowed: ohio"),
        (b"x" * 2**21, "a line of more than 1048576 bytes"),
    ],
)
def test_a_host_that_does_not_begin_well_is_told(first: Any, told: str) -> None:
    with pytest.raises(BuckError, match=told):
        served("random", None, first)
    assert issubclass(ProtocolError, BuckError)


def test_the_rules_of_host_and_command_line_must_agree(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(BuckError, match="bucked is to be played, but --rules says ohio"):
        served("random", OHIO, hello(load_rules("bucked")))
    assert main(["bot", "nobody", "--rules", "ohio"]) == 1
    assert "buck: agent: 'nobody' is not known" in capsys.readouterr().err


# --- One position -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("house", [*HOUSES[:7], HOUSES[8]], ids=lambda house: load_rules(house).name)
def test_one_position_is_decided_as_in_a_batch(house: dict[str, object]) -> None:
    rules = load_rules(house)
    agent = load_agent("random", rules)
    for tables, logs, _ in moments(rules, agent, n=4)[::3]:
        views = Views.of(rules, tables, logs)
        for row, action in enumerate(agent.act(views)):
            told = choose(
                agent,
                view_of(deal_record(logs[row], rules), int(views.seats[row])),
                hands_played=int(tables["hands_played"][row]),
                reneged=[seat for seat in range(4) if tables["reneged"][row] >> seat & 1],
                uniform=float(views.uniforms[row]),
            )
            assert told == action_text(int(action), phase_text(tables[row : row + 1]))


def test_a_position_that_makes_no_sense_is_refused(tmp_path: Path) -> None:
    tables, logs, _ = moments(OHIO, load_agent("random", OHIO), n=1)[0]
    seat = int(tables["seat"][0])
    record = deal_record(logs[0], OHIO)
    view = view_of(record, seat)
    bot = load_agent(f"ppo:{untrained(tmp_path / 'bot', load_rules('bucked'))}", "bucked")
    with pytest.raises(RecordError, match="is of the rules ohio, where bucked is played"):
        choose(bot, view)
    with pytest.raises(RecordError, match=f"seat {(seat + 1) % 4}, whose view it is, is not to act"):
        choose(First(), view_of(record, (seat + 1) % 4))
    with pytest.raises(RecordError, match=r"uniform: .*less than 1"):
        choose(First(), view, uniform=1.0)
    with pytest.raises(RecordError, match=r"reneged: \[1\] are not the seats"):
        choose(First(), view, reneged=[1])
    with pytest.raises(RecordError, match="rules"):
        choose(First(), {**view, "rules": "configs/rules/bucked-15.yaml"})
    position = parse_position(json.loads(json.dumps(position_of(Views.of(OHIO, tables, logs), 0))))
    assert views_of(position, OHIO).tables.tobytes() == Views.of(OHIO, tables, logs).tables.tobytes()


# --- The examples -----------------------------------------------------------------------------------------------------


def test_the_python_example_plays_every_profile() -> None:
    source = EXAMPLES / "mybot.py"
    assert len(source.read_text().splitlines()) <= 30
    for profile in PROFILES:
        rules = load_rules(profile)
        agent = load_agent(f"cmd:{shlex.join([sys.executable, '-S', str(source)])}", rules)
        assert np.isfinite(played(agent, 3, rules)).all()
        assert set(tally_of(agent)) == {"decisions"}


@pytest.mark.skipif(not shutil.which("node"), reason="the JavaScript example needs node, which is not installed")
def test_the_javascript_example_plays_as_the_python_one() -> None:
    source = EXAMPLES / "mybot.js"
    assert len(source.read_text().splitlines()) <= 30
    for profile in PROFILES:
        rules = load_rules(profile)
        python = load_agent(f"cmd:{shlex.join([sys.executable, '-S', str(EXAMPLES / 'mybot.py')])}", rules)
        javascript = load_agent(f"cmd:node {shlex.quote(str(source))}", rules)
        assert np.array_equal(played(javascript, 3, rules), played(python, 3, rules))
        assert set(tally_of(javascript)) == {"decisions"}
