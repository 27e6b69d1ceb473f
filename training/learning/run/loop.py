"""A training run: the loop around a learner that logs, evaluates, saves, stops and is resumed.

What each logged figure means stands in README.md.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from tqdm import tqdm

from agents import Agent, load_agent
from agents.naming.composite import composite_name
from agents.naming.parse import parse
from buck_env import BuckError, Rules, load_rules
from buck_env.base.compiled import compile_seconds
from training.base.interruption import even_if_nobody_reads, interruptible
from training.learning.run.config import RunConfig
from training.learning.run.folder import RunFolder
from training.learning.run.learner import Learner
from training.learning.run.ranks import started
from training.measuring.compare import gain

__all__ = ["Run", "Trained", "carry_out"]

C = TypeVar("C", bound=RunConfig)

_EVALUATION_SEED = 10**9


class Trained(NamedTuple):
    """What a run has come to."""

    folder: Path
    name: str
    """The agent that plays as the run's bot in the phases that it learned, and as another in the rest."""
    decisions: int
    """Decisions learned from."""
    seconds: float
    """How long that took."""
    whole: bool
    """Whether its budget is spent; False where it was interrupted."""


class Run:
    """A learner at work: its clock, its learning curve and its folder.

    A run begun takes the place of one that the folder holds, as soon as all that it needs has been found; with `resume`
    it goes on from the checkpoint there.
    """

    def __init__(self, config: RunConfig, rules: Rules, learner: Learner, *, resume: bool) -> None:
        self.config = config
        self.rules = rules
        self.learner = learner
        self.folder = RunFolder(config, rules)
        self.curve: list[dict[str, Any]] = []
        self._references = {name: load_agent(name, rules) for name in config.references}
        self._before = 0.0
        """Seconds of the run before this process."""
        if resume:
            self._before, self.curve = self.folder.restore(learner)
        else:
            learner.begin()
            self.folder.clear()
        self._writer = self.folder.open_logs(learner.decisions + 1 if resume else None)
        self._began = self._clock()

    @staticmethod
    def _clock() -> float:
        """Wall time in seconds, which stands still while kernels are compiled: that is once, not of this run."""
        return time.monotonic() - compile_seconds()

    @property
    def seconds(self) -> float:
        """How long the run has taken so far."""
        return self._before + self._clock() - self._began

    @property
    def progress(self) -> float:
        """The share of the budget that is used up, 1 or more at the end."""
        by_clock = self.seconds / (60 * self.config.minutes) if self.config.minutes else 0.0
        return max(self.learner.decisions / self.config.decisions, by_clock)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """What is done within does not count as the run's time."""
        began = self._clock()
        yield
        self._began += self._clock() - began

    def iterate(self) -> None:
        """Learn from one rollout, and log its figures."""
        for name, figure in self.learner.iterate(self.progress).items():
            self._writer.add_scalar(name, figure, self.learner.decisions)

    def evaluate(self, say: Callable[[str], None]) -> None:
        """Measure the bot as it is now, and log it, unless it has been measured already."""
        decisions = self.learner.decisions
        if self.curve and self.curve[-1]["decisions"] == decisions:
            return
        agent = self.learner.as_player(self.save_bot())
        for name, reference in self._references.items():
            estimate = gain(self.rules, agent, reference, deals=self.config.evaluate_deals, seed=_EVALUATION_SEED)
            self._writer.add_scalar(f"evaluate/gain_over_{name}", estimate.mean, decisions)
            self.curve.append(
                {
                    "decisions": decisions,
                    "seconds": round(self.seconds, 1),
                    "gain_over": name,
                    **{key: round(getattr(estimate, key), 4) for key in ("mean", "low", "high")},
                }
            )
            say(f"{decisions:>11,} decisions, {self.seconds:4.0f} s: gain over {name} {estimate}")

    def save_bot(self) -> Agent:
        """Write the bot as it is now; it, as an agent."""
        return self.folder.write_bot(self.learner, self.seconds, self.curve)

    def save_checkpoint(self) -> None:
        """Write all that the run needs to be resumed, after the figures logged so far."""
        self._writer.flush()
        self.folder.write_checkpoint(self.learner, self.seconds, self.curve)

    def close(self) -> None:
        """Let go of the logs and of the learner."""
        self.learner.close()
        self._writer.close()


def carry_out(
    config: C, learner_of: Callable[[C, Rules], Learner], say: Callable[[str], None], *, resume: bool, anew: bool,
    several: bool = False,
) -> Trained:  # fmt: skip
    """Carry out a training run to its end, or until ctrl-C, with bot and checkpoint saved either way.

    A folder that holds a run already is refused, unless the run is to `resume`, or to be done `anew` in its place.
    BuckError under `torchrun`, unless the learner is one of `several` processes that share its work.
    """
    if started() > 1 and not several:
        raise BuckError("torchrun: only self-play (learner: ppo) learns in several processes; start buck without it")
    rules = load_rules(config.rules)
    folder = RunFolder(config, rules)
    if not (resume or anew):
        folder.refuse_a_run()
    for name in config.agents:
        parse(name)  # a name that cannot be is refused before anything is compiled
    learner = learner_of(config, rules)
    try:
        run = Run(config, rules, learner, resume=resume)
    except BaseException:
        learner.close()
        raise
    say(_resumed(run) if resume else _begun(run))
    _train(run)
    run.close()
    say(f"bot: {folder.path}  logs: {folder.logs}  ({learner.decisions:,} decisions, {run.seconds:.0f} s)")
    name = composite_name(learner.phases, f"{learner.prefix}:{folder.path}", learner.otherwise, rules)
    say(f"plays {config.rules if isinstance(config.rules, str) else rules.name} as {name}")
    return Trained(folder.path, name, learner.decisions, run.seconds, run.progress >= 1)


def _begun(run: Run) -> str:
    return f"training {run.rules.name} from {run.learner.origin}, seed {run.config.seed}, into {run.folder.path}"


def _resumed(run: Run) -> str:
    spent = ""
    if run.progress >= 1:
        first = "decisions" if run.learner.decisions >= run.config.decisions else "minutes"
        spent = f"; its budget is spent, and more {first}= would take it further"
    return f"going on with {run.folder.path} after {run.learner.decisions:,} decisions{spent}"


def _train(run: Run) -> None:
    """The loop: rollouts until the budget is spent or somebody interrupts, with evaluations and checkpoints."""
    config, learner = run.config, run.learner
    with interruptible() as interrupted, _bar(run) as bar:
        say = even_if_nobody_reads(bar.write)
        while run.progress < 1 and not interrupted:
            before = learner.decisions
            run.iterate()
            bar.total = round(learner.decisions / max(run.progress, 1e-9))  # the clock may end it first
            bar.update(learner.decisions - before)
            if config.evaluate and learner.updates % config.evaluate == 0 and run.progress < 1:
                run.evaluate(say)
            if config.checkpoint and learner.updates % config.checkpoint == 0:
                run.save_checkpoint()
        if interrupted:
            say("stopped; bot and checkpoint are saved as they are now")
        elif config.evaluate:
            run.evaluate(say)
        run.save_bot()
        if config.checkpoint or interrupted:
            run.save_checkpoint()


def _bar(run: Run) -> Any:
    return tqdm(
        total=run.config.decisions,
        initial=run.learner.decisions,
        unit="decision",
        unit_scale=True,
        desc=run.rules.base,
        smoothing=0.05,
    )
