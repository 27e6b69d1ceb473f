"""Analyses in a process of their own, which can be ended: a long one neither delays decisions nor outlives its time."""

from __future__ import annotations

import asyncio
import os
import signal
from dataclasses import dataclass
from functools import lru_cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final

from agents.programs.position import Position
from buck_env.base.errors import BuckError
from buck_env.game.rules import Rules
from training.analysis.analysis import analyse, analysis_record
from training.analysis.analyst import Analyst, make_analyst
from training.web.batches import position_views
from training.web.refusals import Refusal

__all__ = ["Analyses", "AnalysisJob"]


_SHARE: Final = 0.9
"""The share of a request's time that an analysis may take, so that there is time to say that it took too long."""
_MOST_WAITING: Final = 8
"""Analyses that wait or are made at a time."""


@dataclass(frozen=True)
class AnalysisJob:
    """One position to analyse."""

    position: Position
    model: str
    deals: int
    matches: int
    seed: int


class Analyses:
    """One analysis at a time, in a process that is begun anew after one that was ended.

    `first` is a job of no matter what, which the process does before any other, so that all is compiled.
    """

    def __init__(self, seconds: float, first: AnalysisJob | None) -> None:
        self._seconds = _SHARE * seconds
        self._first = first
        self._ready = False
        self._turn = asyncio.Lock()
        self._process: Any = None
        self._pipe: Connection | None = None
        self._waiting = 0

    async def analyse(self, job: AnalysisJob) -> dict[str, Any]:
        """The analysis as `analysis_record` writes it. Refusal where it cannot be made, or takes too long."""
        if self._waiting >= _MOST_WAITING:
            raise Refusal(503, f"{self._waiting} analyses are waiting", "the service", "ask again in a second")
        begun = asyncio.Event()
        task = asyncio.create_task(self._in_turn(job, begun))
        task.add_done_callback(lambda done: done.cancelled() or done.exception())  # though nobody waits any more
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not begun.is_set():
                task.cancel()
            raise

    async def _in_turn(self, job: AnalysisJob, begun: asyncio.Event) -> dict[str, Any]:
        """The analysis, once begun also where who asked has gone meanwhile: the process answers in the order in which
        it is sent jobs."""
        self._waiting += 1
        try:
            async with self._turn:
                begun.set()
                return await asyncio.to_thread(self._work, job)
        finally:
            self._waiting -= 1

    def begin(self) -> None:
        """Start the process, which takes some seconds until it can work."""
        context = get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, self._first), daemon=True)
        self._process.start()
        self._ready = False
        other.close()

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            assert self._pipe is not None
            self._pipe.close()
            self._process = self._pipe = None

    def _work(self, job: AnalysisJob) -> dict[str, Any]:
        if self._process is None or not self._process.is_alive():
            self.close()
            self.begin()
        assert self._pipe is not None
        try:
            if not self._ready:
                if not self._pipe.poll(self._seconds):
                    raise Refusal(503, "the process that analyses is starting", "the service", "ask again in a minute")
                self._ready = bool(self._pipe.recv())
            self._pipe.send(job)
            if not self._pipe.poll(self._seconds):
                self.close()
                raise Refusal(
                    504,
                    f"the analysis took more than {self._seconds:g} s",
                    "deals",
                    "ask for fewer deals or matches, or a quicker model",
                )
            answer: dict[str, Any] | BuckError = self._pipe.recv()
        except (EOFError, OSError):
            self.close()
            raise Refusal(500, "the process that analyses has ended", "the service", "ask again") from None
        if isinstance(answer, dict):
            return answer
        raise answer if isinstance(answer, Refusal) else Refusal(422, str(answer), "view", "analyse another position")


def _serve(pipe: Connection, first: AnalysisJob | None) -> None:
    """Analyse what comes, in a process of its own, until its parent has gone; say True once all is compiled."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # its parent ends it
    if hasattr(os, "nice"):
        os.nice(10)  # decisions, of which there are many more, go first
    if first is not None:
        _result(first)
    try:
        pipe.send(True)
        while True:
            pipe.send(_result(pipe.recv()))
    except (EOFError, OSError):
        return


def _result(job: AnalysisJob) -> dict[str, Any] | BuckError:
    try:
        rules, views = position_views(job.position)
        return analysis_record(analyse(views, _analyst(rules, job.model, job.seed), job.deals, job.matches))
    except BuckError as error:
        return error
    except Exception as error:
        return BuckError(f"the analysis failed: {type(error).__name__}")


@lru_cache(maxsize=16)
def _analyst(rules: Rules, model: str, seed: int) -> Analyst:
    return make_analyst(rules, model, seed=seed)
