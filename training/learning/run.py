"""A training run and its folder: the loop around a learner that logs, evaluates, saves, stops and goes on.

What each logged figure means stands in README.md.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np
from torch.utils.tensorboard import SummaryWriter
from tqdm import tqdm

from agents import Agent, load_agent
from agents.bots.bot import MANIFEST_FILE, write_bot
from agents.bots.network import NetworkAgent
from agents.naming.composite import composite_name
from buck_env import BuckError, Rules, load_rules
from buck_env.base.compiled import compile_seconds
from training.base.provenance import cores
from training.learning.checkpoint import CHECKPOINT, CheckpointError, read_checkpoint, write_checkpoint
from training.learning.train_config import RunConfig
from training.measuring.measures import gain

__all__ = ["AnyLearner", "carry_out"]

C = TypeVar("C", bound=RunConfig)

_EVALUATION_SEED = 10**9
_BUDGET = ("decisions", "minutes", "evaluate", "evaluate_deals", "references", "checkpoint", "out", "vec")
"""What may differ in a run that is gone on with: none of it decides what is learned."""


class AnyLearner(Protocol):
    """Whoever learns in a run."""

    decisions: int
    """Decisions learned from,"""
    updates: int
    """and rollouts."""
    objective: str
    """What the bot plays for,"""
    phases: list[str]
    """the phases it learns to decide,"""
    otherwise: str
    """and the agent that decides the others."""

    def begin(self) -> None:
        """Take over the weights of the run's initial bot."""

    def iterate(self, progress: float) -> dict[str, float]:
        """Learn from one rollout, at a progress of the run from 0 to 1; the figures to log."""

    def weights(self) -> dict[str, np.ndarray]:
        """The bot's weights as they are now."""

    def as_player(self, bot: Agent) -> Agent:
        """The bot as it sits down to be measured."""

    def save(self) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Everything that decides how the run goes on: arrays and facts."""

    def restore(self, state: Mapping[str, np.ndarray], facts: Mapping[str, Any]) -> None:
        """Go back to what `save` gave."""

    def close(self) -> None:
        """Let go of threads and processes."""


class Run:
    """A training run and its folder: bot, checkpoint, logs. A run begun takes the place of one that is there, as soon
    as all that it needs has been found."""

    def __init__(self, config: RunConfig, rules: Rules, learner: AnyLearner, *, resume: bool) -> None:
        self.config = config
        self.rules = rules
        self.folder = Path(config.out)
        self.references = {name: load_agent(name, rules) for name in config.references}
        self.learner = learner
        self.curve: list[dict[str, Any]] = []
        self.spent = 0.0
        """Seconds of the run before this process."""
        if resume:
            self._go_on()
        else:
            if config.initial is not None:
                self.learner.begin()
            _clear(self.folder)
        first = self.learner.decisions + 1
        logs = self.folder / "logs"
        _wait_for_a_later_second(logs)
        self.writer = SummaryWriter(str(logs), purge_step=first if resume else None)
        self._began = self._clock()

    @staticmethod
    def _clock() -> float:
        """Wall time in seconds, which stands still while kernels are compiled: that is once, not of this run."""
        return time.monotonic() - compile_seconds()

    @property
    def seconds(self) -> float:
        """How long the run has taken so far."""
        return self.spent + self._clock() - self._began

    @property
    def progress(self) -> float:
        """How much of the budget is used up, 1 when it is."""
        by_clock = self.seconds / (60 * self.config.minutes) if self.config.minutes else 0.0
        return max(self.learner.decisions / self.config.decisions, by_clock)

    @property
    def spent_on(self) -> str:
        """The part of the budget that is spent first."""
        return "decisions" if self.learner.decisions >= self.config.decisions else "minutes"

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What is done within does not count as the run's time."""
        began = self._clock()
        yield
        self._began += self._clock() - began

    def iterate(self) -> None:
        """One rollout, learned from and logged."""
        for name, figure in self.learner.iterate(self.progress).items():
            self.writer.add_scalar(name, figure, self.learner.decisions)

    def evaluate(self, say: Callable[[str], None]) -> None:
        """Measure the bot as it is now, and log it; one that has been measured is not again."""
        decisions = self.learner.decisions
        if self.curve and self.curve[-1]["decisions"] == decisions:
            return
        agent = self.learner.as_player(self.save_bot())
        for name, reference in self.references.items():
            estimate = gain(self.rules, agent, reference, deals=self.config.evaluate_deals, seed=_EVALUATION_SEED)
            self.writer.add_scalar(f"evaluate/gain_over_{name}", estimate.mean, decisions)
            self.curve.append(
                {
                    "decisions": decisions,
                    "seconds": round(self.seconds, 1),
                    "gain_over": name,
                    **{key: round(getattr(estimate, key), 4) for key in ("mean", "low", "high")},
                }
            )
            say(f"{decisions:>11,} decisions, {self.seconds:4.0f} s: gain over {name} {estimate}")

    def save_bot(self) -> NetworkAgent:
        """Write the bot as it is now; it, as an agent."""
        config, learner = self.config, self.learner
        weights = learner.weights()
        bot = write_bot(
            self.folder,
            weights,
            rules=self.rules.as_dict(),
            canonical=config.canonical,
            objective=learner.objective,
            phases=learner.phases,
            hidden=list(config.hidden),
            seed=config.seed,
            decisions=learner.decisions,
            seconds=round(self.seconds, 1),
            cores=cores(),
            config=asdict(config),
            curve=self.curve,
        )
        return NetworkAgent(bot, weights)

    def save_checkpoint(self) -> None:
        """Write all that the run needs to go on; figures logged so far are on disk before it."""
        state, facts = self.learner.save()
        self.writer.flush()
        facts |= {"command": self.config.command, "config": asdict(self.config), "rules": self.rules.as_dict()}
        facts |= {"seconds": self.seconds, "curve": self.curve}
        write_checkpoint(self.folder, state, facts)

    def _go_on(self) -> None:
        path = self.folder / CHECKPOINT
        state, facts = read_checkpoint(self.folder)
        if not isinstance(facts, dict) or not isinstance(facts.get("config"), dict):
            raise CheckpointError(f"{path}: is damaged: it does not tell its configuration")
        ours, theirs = asdict(self.config), facts["config"]
        if facts.get("command") != self.config.command:
            raise CheckpointError(f"{path}: is of a run of {facts.get('command')!r}, not of {self.config.command!r}")
        for key, value in theirs.items():
            if key not in _BUDGET and json.loads(json.dumps(ours.get(key))) != value:
                raise CheckpointError(
                    f"{path}: {key} is {value!r} in this run, not {ours.get(key)!r}; "
                    "only its budget and what is told of it may change"
                )
        if facts.get("rules") != self.rules.as_dict():
            raise CheckpointError(
                f"{path}: is of other rules than {self.config.rules} has now; --anew begins a run by these"
            )
        try:
            if any(type(facts[name]) is not int or facts[name] < 0 for name in ("decisions", "updates")):
                raise ValueError("decisions and updates are not counts")
            self.learner.restore(state, facts)
            self.spent, self.curve = float(facts["seconds"]), [dict(point) for point in facts["curve"]]
        except (LookupError, TypeError, ValueError, RuntimeError) as error:
            raise CheckpointError(f"{path}: is damaged: {' '.join(f'{error!r}'.split())}") from error

    def close(self) -> None:
        """Let go of the logs and of the thread that plays."""
        self.learner.close()
        self.writer.close()


def carry_out(
    config: C, learner: Callable[[C, Rules], AnyLearner], say: Callable[[str], None], *, resume: bool, anew: bool
) -> Path:
    """Run a training to its end, or until ctrl-C, with bot and checkpoint saved either way; its folder.

    A folder that holds a run already is refused, unless the run is to `resume`, or to be done `anew` in its place.
    """
    rules = load_rules(config.rules)
    folder = Path(config.out)
    if not (resume or anew) and _run_in(folder):
        raise BuckError(f"{folder}: holds a run already; --resume goes on with it, --anew replaces it, or give out=")
    learns = learner(config, rules)
    try:
        run = Run(config, rules, learns, resume=resume)
    except BaseException:
        learns.close()
        raise
    if resume:
        spent = f"; its budget is spent, and more {run.spent_on}= would take it further" if run.progress >= 1 else ""
        say(f"going on with {folder} after {run.learner.decisions:,} decisions{spent}")
    else:
        start = f"the weights of {config.initial}" if config.initial else "random weights"
        say(f"training {rules.name} from {start}, seed {config.seed}, into {folder}")
    with _interruptible() as interrupted, _bar(config, run) as bar:
        while run.progress < 1 and not interrupted:
            before = run.learner.decisions
            run.iterate()
            bar.total = round(run.learner.decisions / max(run.progress, 1e-9))  # the clock may end it first
            bar.update(run.learner.decisions - before)
            if config.evaluate and run.learner.updates % config.evaluate == 0 and run.progress < 1:
                run.evaluate(_to_whoever_reads(bar.write))
            if config.checkpoint and run.learner.updates % config.checkpoint == 0:
                run.save_checkpoint()
        if interrupted:
            _to_whoever_reads(bar.write)("stopped; bot and checkpoint are saved as they are now")
        elif config.evaluate:
            run.evaluate(_to_whoever_reads(bar.write))
        run.save_bot()
        if config.checkpoint or interrupted:
            run.save_checkpoint()
    run.close()
    say(f"bot: {folder}  logs: {folder / 'logs'}  ({run.learner.decisions:,} decisions, {run.seconds:.0f} s)")
    name = composite_name(run.learner.phases, f"ppo:{folder}", run.learner.otherwise, rules)
    say(f"plays {config.rules if isinstance(config.rules, str) else rules.name} as {name}")
    return folder


def _to_whoever_reads(say: Callable[[str], None]) -> Callable[[str], None]:
    """`say`, but a run goes on where the reader of what it tells has gone."""

    def say_on(text: str) -> None:
        with suppress(BrokenPipeError):
            say(text)

    return say_on


def _bar(config: RunConfig, run: Run) -> Any:
    return tqdm(
        total=config.decisions,
        initial=run.learner.decisions,
        unit="decision",
        unit_scale=True,
        desc=run.rules.base,
        smoothing=0.05,
    )


def _run_in(folder: Path) -> list[Path]:
    """What makes a folder one of a run: its checkpoint, its bot."""
    return [path for path in (folder / CHECKPOINT, folder / MANIFEST_FILE) if path.exists()]


def _clear(folder: Path) -> None:
    """Remove the run that a folder holds."""
    logs, weights = folder.glob("logs/events.out.tfevents.*"), folder.glob("weights-*.safetensors")
    for path in [*_run_in(folder), *logs, *weights]:
        path.unlink()


def _wait_for_a_later_second(logs: Path) -> None:
    """TensorBoard reads logs in the order of their names, which begin with the second they were opened in."""
    seconds = [int(path.name.split(".")[3]) for path in logs.glob("events.out.tfevents.[0-9]*.*")]
    time.sleep(max(0.0, min(1.0, max(seconds, default=0) + 1 - time.time())))


@contextmanager
def _interruptible() -> Iterator[list[int]]:
    """A list that is empty until ctrl-C, or a request to end, comes; what it comes upon is finished and saved."""
    got: list[int] = []

    def note(number: int, _: Any) -> None:
        got.append(number)

    try:
        before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    except ValueError:  # not the main thread, which alone is told
        yield got
        return
    try:
        yield got
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
