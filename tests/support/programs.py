"""A program that plays, well or with a fault of every kind, and points to compare its play by."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from agents import Agent, load_agent
from agents.programs.command import CommandAgent
from agents.programs.position import position_of
from agents.programs.settings import CommandSettings
from buck_env import Rules, action_text, load_rules
from buck_env.observation.views import Views
from buck_env.records import phase_text
from training.measuring.arena import play_hands
from training.measuring.duplicate import deal_seeds, rotations

BOT = """
import json, os, subprocess, sys, time
log, mode, after = sys.argv[1], sys.argv[2], int(sys.argv[3])
subprocess.Popen(["sleep", "3600.5"], stdout=2 if mode == "mute" else None)  # a helper that it does not care for
def say(text): os.write(1, text if isinstance(text, bytes) else text.encode())
def fault(asked):
    if mode == "crash": sys.exit("no luck")
    if mode == "leave": sys.exit(0)
    if mode == "hang": time.sleep(3600)
    if mode in ("illegal", "often illegal"): return say(json.dumps({"id": asked["id"], "action": "play:XX"}) + "\\n")
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
more = {"now": {"now": True}, "declines": {"declines": "three seats\\nI know not"}}.get(mode, {"now": 1})
say(json.dumps({"protocol": "buck-euchre-command-v1", "name": "test", **more}) + "\\n")
for number, line in enumerate(sys.stdin):
    with open(log, "a") as file: file.write(line)
    asked = json.loads(line)
    own = mode == "often illegal" and sum(json.dumps(asked["view"]).encode()) % 3 == 0
    if number >= after and not own: fault(asked)
    if mode == "stderr": os.write(2, b"z" * 200000 + b"\\n" * 9)
    if mode == "slow": time.sleep(0.02)
    answers = mode not in ("illegal", "often illegal", "elsewhere", "no text", "half a pair", "error")
    if own or number < after or answers:
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
        self.groups: set[str] = set()

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
        self.groups |= groups
        return [" ".join(row) for row in rows if row[0] in self.groups and "<defunct>" not in row[-1]]

    def is_gone(self, seconds: float = 10.0) -> bool:
        deadline = time.monotonic() + seconds
        while self.running() and time.monotonic() < deadline:
            time.sleep(0.05)
        return not self.running()


OHIO = load_rules("ohio")


def played(agent: Agent, deals: int = 8, rules: Rules = OHIO) -> np.ndarray:
    """Points (deals * S, S) of an agent in each seat in turn among random ones."""
    lineups = np.tile(rotations(0, 1, rules.seats), (deals, 1))
    seeds = np.repeat(deal_seeds(3, deals), rules.seats)
    return play_hands(rules, {"it": agent, "random": load_agent("random", rules)}, lineups, seeds)
