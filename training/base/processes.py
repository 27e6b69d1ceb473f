"""Jobs done in processes of their own, their results in the order of the jobs."""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from typing import Any, Generic, TypeVar

from threadpoolctl import threadpool_limits

from buck_env.base.errors import BuckError

__all__ = ["Begin", "Worker", "in_processes"]

J = TypeVar("J")
R = TypeVar("R")


@dataclass(frozen=True)
class Worker(Generic[J, R]):
    """What does jobs in one process."""

    do: Callable[[J], R]
    checksums: Mapping[str, Any]
    """Those of the agents that it loaded, by name or label."""


Begin = Callable[[], Worker[J, R]]
"""Makes the worker of a process, once; it can be copied to other processes and machines."""


def in_processes(begin: Begin[J, R], jobs: Iterable[J | None], processes: int, what: str) -> Generator[R, None, None]:
    """Yield the results of jobs in their order. They are done here, or in processes of their own, which end when this
    generator does. A job of None waits: what follows it is asked for once all results before it have been taken. A job
    that is under way at the end, because of ctrl-C or an error, is ended as by ctrl-C where it listens to that, as
    training does, and otherwise done to its end.

    Each process computes on one thread: with arrays as small as a network's, more threads wait for one another.
    BuckError, which begins with `what`, where a process was killed or could not start.
    """
    if processes <= 1:
        with threadpool_limits(1):
            worker = begin()
            for job in jobs:
                if job is not None:
                    yield worker.do(job)
        return
    others = set(active_children())
    with ProcessPoolExecutor(processes, get_context("spawn"), _prepare, (begin,)) as pool:
        waiting: deque[Future[R]] = deque()
        try:
            for job in jobs:
                if job is not None:
                    waiting.append(pool.submit(_do, job))
                while len(waiting) > (2 * processes if job is not None else 0):
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise BuckError(
                f"{what}: a process was killed, or could not start; --resume goes on from what was kept; if memory is "
                "short, give fewer processes"
            ) from None
        finally:
            for process in active_children():
                if process.pid is not None and process not in others:
                    os.kill(process.pid, signal.SIGINT)
            pool.shutdown(cancel_futures=True)


_begin: Begin[Any, Any]
_workers: list[Worker[Any, Any]] = []
"""The worker of this process, once it has had a job."""


def _prepare(begin: Begin[Any, Any]) -> None:
    """Prepare a process: between jobs ctrl-C is left to its parent, and it does not outlive its parent."""
    global _begin
    _begin = begin
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threadpool_limits(1)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _do(job: Any) -> Any:
    if not _workers:
        _workers.append(_begin())
    return _workers[0].do(job)
