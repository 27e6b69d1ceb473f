"""How fast events are played: hands a second of rule bots and of network bots, with all figures computed from them, and
decisions a second of a program."""

from __future__ import annotations

import itertools
import os
import shlex
import shutil
import time
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from agents import Agent, load_agent
from agents.bots.bot import Bot
from agents.bots.network import NetworkAgent, layer_names
from buck_env import Rules, __version__, load_rules
from buck_env.base.files import write_json
from training.measuring.luck import expected_luck
from training.tournament.blocks import Blocks
from training.tournament.hand_tally import HandTally
from training.tournament.lineups import make_lineups
from training.tournament.run import SHARD
from training.tournament.shards import Event, Job, Shard, play_shards
from training.tournament.tally import BLOCK

__all__ = ["bench_tournament"]

_FIRST = Path(__file__).with_name("first.js")


def bench_tournament(seconds: float, out: Path) -> None:
    """Measure, print a table, and write the figures as JSON; `seconds` is about how long each figure is measured."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    rules = load_rules("ohio")
    rule_bots: dict[str, Agent] = {label: load_agent("rules-v1", rules) for label in ("one", "other")}
    networks: dict[str, Agent] = {label: _random_network(rules, seed) for seed, label in enumerate(rule_bots)}
    figures: dict[str, Any] = {"version": __version__, "cores": cores}
    print(f"{'':<44}{'hands/s':>14}")
    for processes in dict.fromkeys((1, cores)):
        for what, agents in (("rules-v1", rule_bots), ("networks of 128 and 128", networks)):
            name = f"{what}, {processes} process{'es' if processes > 1 else ''}"
            figures[name] = round(_rate(rules, agents, processes, seconds))
            print(f"{name:<44}{figures[name]:>14,}", flush=True)
    print(f"\n{'':<44}{'decisions/s':>14}")
    for what, arguments in (("a program of node, 1 process", ""), ("the same with plain facts", " now")):
        if not shutil.which("node"):
            print(f"{what:<44}{'needs node':>14}")
            continue
        figures[what] = round(_program_rate(rules, f"cmd:node {shlex.quote(str(_FIRST))}{arguments}", seconds))
        print(f"{what:<44}{figures[what]:>14,}", flush=True)
    write_json(out, figures)
    print(f"\nfigures: {out}")


def _rate(rules: Rules, agents: dict[str, Agent], processes: int, seconds: float) -> float:
    """Hands a second of an event without an end, once all processes play."""
    event = _event(rules, agents)
    tally = HandTally(event.lineups, expected_luck(rules), seed=0)
    gathered = Blocks(event, "hands")
    hands, began = 0, 0.0
    size = BLOCK * (SHARD // (BLOCK * len(event.lineups.seatings)))
    with closing(_shards(event, agents, size, processes)) as shards:
        for number, shard in enumerate(shards):
            for first, scores, *rest in gathered.add(shard):
                tally.add(first, scores, *rest)
            if number < 3 * processes:
                began = time.perf_counter()
                continue
            hands += shard.scores[..., 0].size
            spent = time.perf_counter() - began
            if spent > seconds and number >= 5 * processes:
                break
    return hands / spent


def _program_rate(rules: Rules, name: str, seconds: float) -> float:
    """Decisions a second of a program among rules-v1, whose own decisions take next to no time."""
    agents = {"program": load_agent(name, rules), "other": load_agent("rules-v1", rules)}
    decisions, spent = 0, 0.0
    with closing(_shards(_event(rules, agents), agents, BLOCK, 1)) as shards:
        for number, shard in enumerate(shards):
            if number:  # the first one starts the program
                decisions += shard.program_counts["program"]["decisions"]
                spent += shard.seconds
            if number and spent > seconds:
                break
    return decisions / spent


def _event(rules: Rules, agents: dict[str, Agent]) -> Event:
    return Event(rules, agents, make_lineups(len(agents), rules.seats, 1, seed=0), seed=0)


def _shards(event: Event, agents: dict[str, Agent], size: int, processes: int) -> Generator[Shard, None, None]:
    """Shards of so many deals, without an end."""
    jobs = (Job("hands", first, size) for first in itertools.count(0, size))
    return play_shards(event, agents, jobs, processes)


def _random_network(rules: Rules, seed: int) -> NetworkAgent:
    """A network of random weights, as sure of its opinions as a trained one."""
    draws = np.random.default_rng(seed)
    weights: dict[str, np.ndarray] = {}
    bot = Bot(
        rules={"base": rules.base, **rules.as_dict()}, canonical=True, objective="points", phases=list(rules.phases),
        hidden=[128, 128], seed=seed, decisions=0, seconds=0.0, cores=1, curve=[], config={}, weights="", sha256="",
    )  # fmt: skip
    for name, inputs, outputs in layer_names(bot.hidden):
        width = 40 if name == "hidden_0" else inputs  # of an observation few entries are lit
        weights[f"{name}.weight"] = draws.normal(0, (2 / width) ** 0.5, (outputs, inputs)).astype(np.float32)
        weights[f"{name}.bias"] = draws.normal(0, 0.1, outputs).astype(np.float32)
    return NetworkAgent(bot, weights)
