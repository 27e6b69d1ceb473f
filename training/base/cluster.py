"""Jobs done as tasks of a Ray cluster, their results in the order of the jobs.

Whichever node does a job, and however often the job is lost with its node and done again, its task returns one result.

Every node needs this package, and the agents' files in the same places as on this machine. Both are checked before a
node does its first job.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from buck_env.base.errors import BuckError
from training.base.config import CLUSTER
from training.base.processes import Begin, Worker
from training.base.provenance import versions

__all__ = ["check_sent", "on_cluster"]

J = TypeVar("J")
R = TypeVar("R")

_RETRIES = 3
"""How often a job is done again that was lost with its node or process."""
_PATIENCE = 10.0
"""The number of seconds within which the cluster's address must answer."""


@dataclass(frozen=True)
class _Order:
    """What a process of the cluster needs in order to work, and what must be the same there."""

    begin: Begin[Any, Any]
    versions: Mapping[str, Any]
    checksums: Mapping[str, Any]
    folder: str
    """The folder to which file names are relative."""


@contextmanager
def on_cluster(
    address: str, begin: Begin[J, R], checksums: Mapping[str, Any]
) -> Iterator[Callable[[Iterable[J | None]], Generator[R, None, None]]]:
    """What does jobs on the cluster at an address. At the end the cluster is left, and one that was started for this is
    stopped.

    `checksums` are those that the worker has on this machine. BuckError where Ray is not installed, there is no such
    cluster, or it has no cores.
    """
    ray = _ray()
    _join(ray, address)
    try:
        if not ray.cluster_resources().get("CPU"):
            raise BuckError(
                f"ray: {address}: the cluster has no cores to work on; start a node with --num-cpus=1 or more"
            )
        order = ray.put(_Order(begin, versions(), checksums, os.getcwd()))
        yield lambda jobs: _results(ray, order, jobs)
    finally:
        ray.shutdown()


def check_sent(agents: Mapping[str, Any]) -> None:
    """Raise BuckError where an agent is given as an object that cannot be copied."""
    ray = _ray()
    for label, agent in agents.items():
        try:
            ray.cloudpickle.dumps(agent)
        except Exception as error:  # an agent's own classes raise what they like
            raise BuckError(
                f"ray: {label}: the agent cannot be sent to other nodes: {_line(error)}; give its name instead"
            ) from None


def _ray() -> Any:
    if find_spec("ray") is None:
        raise BuckError("ray: Ray is not installed: pip install 'buck-euchre-rl[ray]'; or leave out --ray and ray=")
    import ray

    return ray


def _join(ray: Any, address: str) -> None:
    """Connect to a cluster, or start one on this machine, without output and with the signal handlers as they were."""
    if not re.fullmatch(CLUSTER, address):
        raise BuckError(f"ray: {address!r} names no cluster; allowed: HOST:PORT, auto or local")
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS", "")
        if address and not re.fullmatch(CLUSTER, address):
            raise BuckError(f"RAY_ADDRESS: {address!r} names no cluster; allowed: HOST:PORT, auto or local")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGTERM)
    try:
        if ":" in address:
            host, _, port = address.rpartition(":")
            socket.create_connection((host, int(port)), _PATIENCE).close()  # Ray itself would try for minutes
        ray.init(address or None, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    except Exception as error:  # Ray raises what it likes
        raise BuckError(
            f"ray: {address or 'auto'}: no cluster could be joined: {_line(error)}; start one with `ray start --head` "
            "and give the HOST:PORT that it prints, or give ray=local to start one for this command"
        ) from None
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)  # Ray takes it for itself


def _results(ray: Any, order: Any, jobs: Iterable[Any]) -> Generator[Any, None, None]:
    """Yield the results of jobs in their order. As many are under way as keep every core of the cluster busy. A job of
    None waits for all results before it."""
    do = ray.remote(num_cpus=1, max_retries=_RETRIES)(_do)
    waiting: deque[Any] = deque()
    try:
        for job in jobs:
            if job is not None:
                waiting.append(do.remote([order], job))
            while len(waiting) > (2 * ray.cluster_resources().get("CPU", 1) if job is not None else 0):
                yield _result(ray, waiting.popleft())  # nodes come and go
        while waiting:
            yield _result(ray, waiting.popleft())
    finally:
        for task in waiting:
            ray.cancel(task)


def _result(ray: Any, task: Any) -> Any:
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, BuckError):
            raise error.cause from None
        raise BuckError(
            f"ray: a node could not work: {_line(error.cause)}; install this package on every node, and put the "
            "agents' files in the same places as here"
        ) from error
    except ray.exceptions.RayError as error:
        raise BuckError(
            f"ray: a job was lost {_RETRIES + 1} times with the node or process that did it: {_line(error)}; "
            "--resume goes on from what was kept"
        ) from None


def _line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


# --- On a node --------------------------------------------------------------------------------------------------------


def _do(order: list[Any], job: Any) -> Any:
    return _worker(order[0]).do(job)


@cache
def _worker(order: Any) -> Worker[Any, Any]:
    """The worker, made once in a process. BuckError where what it loaded differs from what the machine that counts
    has."""
    ray = _ray()
    there: _Order = ray.get(order)
    with suppress(OSError):
        os.chdir(there.folder)
    threadpool_limits(1)
    worker = there.begin()
    if (versions(), worker.checksums) != (there.versions, there.checksums):
        raise BuckError(
            f"ray: the node {ray.util.get_node_ip_address()} has other versions of the game or its bots: "
            f"{versions()}, {worker.checksums}, where {dict(there.versions)}, {dict(there.checksums)} are needed; "
            "install the same version there, and copy the same bots"
        )
    return worker
