"""How fast `buck serve` answers: milliseconds a decision at a steady rate, and the highest rate; on this machine."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from agents import load_agent
from agents.programs.position import position_of
from buck_env import __version__, load_rules
from buck_env.base.errors import BuckError
from buck_env.base.files import write_json
from training.bench.clients import Client, ask_at_a_pace, ask_in_a_hurry
from training.measuring.decisions import decisions_of_hands

__all__ = ["bench_serve", "serving"]

BOT: Final = "pretrained"
CLIENTS: Final = 200
HANDS: Final = 100
TOGETHER: Final = 256
"""Positions of a request that has many."""
PROMPT: Final = 0.05
"""Seconds within which 99 of 100 decisions are to be answered."""
_SLOWER: Final = 0.9
"""The rate that is tried after one at which they are not."""
_TRIES: Final = 300
"""Times that an analysis is asked for, a second apart, until one is answered."""
_WIDTH: Final = 64


@contextmanager
def serving(arguments: Sequence[str], *, table: bool = False) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`buck serve` in a process of its own, with or without its table, and its port, which is a free one.

    BuckError where it ends at once.
    """
    options = ["--port", "0", *([] if table else ["--no-table"])]
    command = [sys.executable, "-m", "training.cli.app", "serve", *options, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+?:(\d+)", process.stdout.readline())
        if found is None:
            raise BuckError(f"buck serve {' '.join(arguments)}: it has ended")
        yield process, int(found[1])
    finally:
        process.terminate()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def bench_serve(rules_name: str, seconds: float, out: Path) -> None:
    """Measure, print a table, and write the figures as JSON; `seconds` is about how long each figure is measured.

    The positions are those of hands that `rules-v1` plays at every seat. The clients run on the same machine.
    """
    rules = load_rules(rules_name)
    decisions = decisions_of_hands(rules, load_agent("rules-v1", rules), HANDS)
    positions = [position_of(decisions, row) for row in range(len(decisions))]
    single = [json.dumps({"bot": BOT, **position}).encode() for position in positions]
    many = [
        json.dumps({"bot": BOT, "positions": positions[first : first + TOGETHER]}).encode()
        for first in range(0, len(positions) - TOGETHER, TOGETHER)
    ]
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    figures: dict[str, Any] = {"version": __version__, "rules": rules.as_record(), "cores": cores}
    with serving(["--bots", BOT, "--rules", rules_name, "--rate", "0"]) as (_, port):
        asyncio.run(_analysing(port, json.dumps({**positions[0], "deals": 4}).encode()))
        print(f"{rules.name}, {BOT}, {CLIENTS} clients on the same {cores} cores\n")
        taken = asyncio.run(ask_at_a_pace(port, single, CLIENTS, CLIENTS, seconds))
        for name, share in (("median", 50), ("99th percentile", 99)):
            _show(figures, f"ms a decision, one a second of each client, {name}", 1000 * np.percentile(taken, share))
        hurried = asyncio.run(ask_in_a_hurry(port, single, CLIENTS, seconds))
        _show(figures, "decisions a second, each client asking again at once", hurried)
        prompt = f"decisions a second, 99 of 100 within {1000 * PROMPT:.0f} ms"
        _show(figures, prompt, _highest_rate(port, single, hurried, seconds))
        together = TOGETHER * asyncio.run(ask_in_a_hurry(port, many, 2, seconds))
        _show(figures, f"decisions a second, {TOGETHER} in a request", together)
    write_json(out, figures)
    print(f"\nfigures: {out}")


async def _analysing(port: int, question: bytes) -> None:
    """Wait until the service can analyse, for which it compiles: that would slow down what is measured."""
    client = Client(*await asyncio.open_connection("127.0.0.1", port))
    for _ in range(_TRIES):
        try:
            await client.ask("/analyse", question)
            break
        except BuckError:
            await asyncio.sleep(1)
    await client.close()


def _highest_rate(port: int, questions: Sequence[bytes], rate: float, seconds: float) -> float:
    """The highest steady rate at which 99 of 100 are answered promptly, from a rate downward."""
    while rate > 1:
        taken = asyncio.run(ask_at_a_pace(port, questions, CLIENTS, rate, seconds))
        if len(taken) and np.percentile(taken, 99) <= PROMPT:
            break
        rate *= _SLOWER
    return rate


def _show(figures: dict[str, Any], what: str, value: float) -> None:
    figures[what] = round(float(value), 3)
    print(f"{what:<{_WIDTH}}{value:>12,.{0 if value >= 100 else 1}f}", flush=True)
