"""How fast learning is: beside torch alone on the same shapes, beside MaskablePPO, and by the clock to a good bot."""

from __future__ import annotations

import multiprocessing
import resource
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from agents import load_agent
from buck_env import NUM_ACTIONS, OBSERVATION_SIZE, __version__, load_rules
from buck_env.base.files import write_json
from training.base.config import find_config, load_config
from training.learning.network import Network
from training.learning.run.loop import Run
from training.learning.self_play import SelfPlayLearner, TrainConfig
from training.measuring.compare import gain

__all__ = ["bench_learn"]

_CHECK_SECONDS = 10.0
"""How often a run to a good bot is measured; the measuring is not counted."""


def bench_learn(seconds: float, minutes: float, out: Path) -> None:
    """Measure, print a table, and write the figures as JSON. MaskablePPO gets so many minutes to catch up."""
    config = TrainConfig(out=str(Path(tempfile.mkdtemp()) / "bot"), evaluate=0, checkpoint=0)
    figures: dict[str, Any] = {"version": __version__, "cores": 2}
    ours = _say(figures, "decisions learned a second, self-play", _learning_rate(config, seconds))
    ceiling = _say(figures, "torch alone, the same passes and steps", _torch_alone(config, seconds))
    _say(figures, "share of that ceiling", ours / ceiling)
    _say(figures, "GB of memory at 4,096 tables", _in_a_process(_memory))
    theirs = _say(figures, "decisions learned a second, MaskablePPO", _in_a_process(_maskable_rate, seconds))
    same = _say(figures, "the same, self-play, equal network, epochs, batch", _in_a_process(_equal_rate, seconds))
    _say(figures, "times MaskablePPO", same / theirs)
    sprint = load_config(TrainConfig, find_config("sprint", "train"), [f"out={config.out}"])
    reached = _say(figures, "seconds to gain over rules-v1 of 0, self-play", _seconds_to_zero(SelfPlayLearner, sprint))
    for name in ("defaults", "ohio") if minutes else ():
        took = _say(figures, f"seconds to the same, MaskablePPO, {name}", _maskable_seconds(name, minutes))
        _say(figures, f"times self-play, {name}", took / reached)
    write_json(out, figures)
    print(f"\nfigures: {out}")


def _say(figures: dict[str, Any], what: str, value: float) -> float:
    figures[what] = round(value, 3)
    print(f"{what:<56}{value:>12,.{0 if value >= 100 else 2}f}", flush=True)
    return value


def _in_a_process(function: Callable[..., float], *arguments: Any) -> float:
    """A figure that a fresh process measures, so that nothing before it counts."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def _rate(learner: Any, seconds: float) -> float:
    """Decisions learned from a second, after a first rollout."""
    learner.iterate(0.0)
    before, began = learner.decisions, time.perf_counter()
    while time.perf_counter() - began < seconds:
        learner.iterate(0.0)
    rate: float = (learner.decisions - before) / (time.perf_counter() - began)
    learner.close()
    return rate


def _learning_rate(config: TrainConfig, seconds: float) -> float:
    return _rate(SelfPlayLearner(config, load_rules(config.rules)), seconds)


def _torch_alone(config: TrainConfig, seconds: float) -> float:
    """The same forward passes of a rollout in one thread, and forward, backward and optimiser steps in another."""
    torch.set_num_threads(config.threads)
    player, learner = Network(config.hidden), Network(config.hidden)
    optimizer = torch.optim.Adam(learner.parameters(), fused=True)
    decisions = config.tables * config.steps
    halves: list[float] = []

    def shapes(rows: int) -> tuple[torch.Tensor, torch.Tensor]:
        seen = torch.randint(0, 2, (rows, OBSERVATION_SIZE), dtype=torch.int8)
        return seen, torch.ones(rows, NUM_ACTIONS, dtype=torch.int8)

    def play() -> None:
        seen, mask = shapes(config.tables)
        with torch.no_grad():
            for _ in range(config.steps):
                player(seen.float(), mask)

    def learn() -> None:
        seen, mask = shapes(config.minibatch)
        for _ in range(config.epochs * decisions // config.minibatch):
            log_probs, value = learner(seen.float(), mask)
            loss = log_probs[:, 0].mean() + value.square().mean()
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()

    began = time.perf_counter()
    while not halves or time.perf_counter() - began < seconds:
        start = time.perf_counter()
        playing = threading.Thread(target=play)
        playing.start()
        learn()
        playing.join()
        halves.append(decisions / (time.perf_counter() - start))
    return sorted(halves)[len(halves) // 2]


def _memory() -> float:
    config = TrainConfig(tables=4096)
    learner = SelfPlayLearner(config, load_rules(config.rules))
    for _ in range(3):
        learner.iterate(0.0)
    learner.close()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (2**30 if sys.platform == "darwin" else 2**20)


_EQUAL: dict[str, Any] = {"hidden": [128, 128], "seed": 1, "threads": 1}


def _maskable_rate(seconds: float) -> float:
    from training.learning.sb3.config import PPOConfig
    from training.learning.sb3.ppo import MaskableLearner

    config = PPOConfig(envs=64, vec="dummy", n_steps=64, batch_size=512, n_epochs=2, **_EQUAL)
    return _rate(MaskableLearner(config, load_rules(config.rules)), seconds)


def _equal_rate(seconds: float) -> float:
    config = TrainConfig(tables=64, steps=64, minibatch=512, epochs=2, **_EQUAL)
    return _rate(SelfPlayLearner(config, load_rules(config.rules)), seconds)


def _maskable_seconds(name: str, minutes: float) -> float:
    from training.learning.sb3.config import PPOConfig
    from training.learning.sb3.ppo import MaskableLearner

    folder = tempfile.mkdtemp()
    overrides = [f"out={folder}/bot", "vec=dummy", "envs=64", f"minutes={minutes}", "decisions=1000000000"]
    config = load_config(PPOConfig, find_config(name, "ppo"), overrides)
    return _seconds_to_zero(MaskableLearner, config)


def _seconds_to_zero(kind: Callable[..., Any], config: Any) -> float:
    """Seconds of learning until the bot's gain over rules-v1 is 0 or more, or all that there were: a lower bound."""
    rules = load_rules(config.rules)
    reference = load_agent("rules-v1", rules)
    run = Run(config, rules, kind(config, rules), resume=False)
    last = 0.0
    while run.progress < 1:
        run.iterate()
        if run.seconds - last >= _CHECK_SECONDS or run.progress >= 1:
            with run.paused():
                agent = run.save_bot()
                mean = gain(rules, agent, reference, deals=2000, seed=5).mean
            last = run.seconds
            if mean >= 0:
                break
    run.close()
    return run.seconds
