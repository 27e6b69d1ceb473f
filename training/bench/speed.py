"""How fast: decisions a second, each figure the median of short blocks, beside the bare engine in the same run."""

from __future__ import annotations

import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from buck_env import PROFILES, __version__, buck_euchre_v0
from buck_env.base.files import write_json
from buck_env.environments.playouts import play_out
from buck_env.game.table import make_tables

__all__ = ["bench"]


def bench(seconds: float, out: Path) -> None:
    """Measure, print a table, and write the figures as JSON."""
    figures: dict[str, Any] = {
        "version": __version__,
        "machine": platform.processor() or platform.machine(),
        "cores": 1,
    }
    print(f"{'':<44}{'decisions/s':>14}")
    for name in PROFILES:
        figures[f"bare playouts, {name}"] = _say(f"bare compiled playouts, {name}", _bare(name, seconds))
    for name in PROFILES:
        figures[f"step, {name}"] = _say(f"step, 1,024 tables, {name}", *_vector(name, 1024, seconds))
    for tables in (16_384, 131_072):
        figures[f"step, {tables} tables"] = _say(f"step, {tables:,} tables, ohio", *_vector("ohio", tables, seconds))
    figures["step and last, copies"] = _say(
        "step and last() with copies, 1,024 tables", *_vector("ohio", 1024, seconds, copy=True, last=True)
    )
    figures["step, canonical"] = _say(
        "step, 1,024 tables, canonical suits", *_vector("ohio", 1024, seconds, canonical=True)
    )
    figures["one table, last and step"] = _say("env(), one table, last() and step()", _single(seconds))
    figures["bytes a table"] = _bytes_a_table()
    figures["seconds to the first environment, cached"] = _first_environment()
    print(f"\n{'bytes a table, observation apart':<44}{figures['bytes a table']:>14,}")
    print(
        f"{'seconds to the first environment, cached':<44}{figures['seconds to the first environment, cached']:>14.2f}"
    )
    write_json(out, figures)
    print(f"\nfigures: {out}")


def _say(what: str, rate: float, choosing: float | None = None) -> float:
    beside = f"   choosing actions apart: {choosing:,.0f}" if choosing else ""
    print(f"{what:<44}{rate:>14,.0f}{beside}", flush=True)
    return round(rate)


def _blocks(block: Callable[[], tuple[int, float, float]], seconds: float) -> list[tuple[int, float, float]]:
    block()
    began = time.perf_counter()
    blocks = [block()]
    while time.perf_counter() - began < seconds:
        blocks.append(block())
    return blocks


def _bare(rules: str, seconds: float) -> float:
    packed = PROFILES[rules].packed()
    tables, seeds, deals = make_tables(64), np.arange(64, dtype=np.uint64), np.zeros(64, np.int64)

    def block() -> tuple[int, float, float]:
        began = time.perf_counter()
        made = play_out(packed, tables, seeds, deals, 1000)
        return made, time.perf_counter() - began, 0.0

    return median(made / spent for made, spent, _ in _blocks(block, seconds))


def _vector(rules: str, tables: int, seconds: float, last: bool = False, **settings: Any) -> tuple[float, float]:
    """Decisions a second through public `step`, every array written, and of choosing the actions."""
    env = buck_euchre_v0.vector_env(tables, rules=rules, episode="match", **{"copy": False, **settings})
    env.reset(seed=0)
    steps = max(1, 65_536 // tables)

    def block() -> tuple[int, float, float]:
        stepping_time = choosing = 0.0
        for _ in range(steps):
            began = time.perf_counter()
            actions = env.sample()
            chosen = time.perf_counter()
            env.step(actions)
            if last:
                env.last()
            stepping_time += time.perf_counter() - chosen
            choosing += chosen - began
        return steps * tables, stepping_time, choosing

    blocks = _blocks(block, seconds)
    return median(n / spent for n, spent, _ in blocks), median(n / spent for n, _, spent in blocks)


def _single(seconds: float) -> float:
    env = buck_euchre_v0.env(episode="match")
    env.reset(seed=0)

    def block() -> tuple[int, float, float]:
        began = time.perf_counter()
        for _ in range(2000):
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.reset()
            else:
                env.step(int(observation["action_mask"].argmax()))
        return 2000, time.perf_counter() - began, 0.0

    return median(n / spent for n, spent, _ in _blocks(block, seconds))


def _bytes_a_table() -> int:
    env = buck_euchre_v0.vector_env(1024)
    arrays = env.get_state()["tables"]
    return sum(array.nbytes for name, array in arrays.items() if name != "observations") // 1024


def _first_environment() -> float:
    """From the start of a new process to the first observation."""
    code = "from buck_env import buck_euchre_v0; e = buck_euchre_v0.env(); e.reset(seed=0); e.last()"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - began
