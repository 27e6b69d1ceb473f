"""The shards of an event as tasks of a Ray cluster.

Whichever node plays a shard, and however often the shard is lost with its node and played again, its task returns one
result. Results are taken in the order of the jobs.

Every node needs this package, and the agents' files in the same places as on this machine. Both are checked before a
node plays its first shard.
"""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError
from threadpoolctl import threadpool_limits

from agents import Agent
from buck_env.base.errors import BuckError
from training.base.provenance import checksum_of, versions
from training.tournament.config import CLUSTER
from training.tournament.shards import Event, Job, PlayJobs, Shard, play_shard

__all__ = ["players"]

_RETRIES = 3
"""How often a shard is played again that was lost with its node or process."""
_PATIENCE = 10.0
"""The number of seconds within which the cluster's address must answer."""


@dataclass(frozen=True)
class _Table:
    """What a process of the cluster needs in order to play, and what must be the same there."""

    event: Event
    versions: Mapping[str, Any]
    checksums: Mapping[str, Any]
    folder: str
    """The folder to which file names are relative."""


@contextmanager
def players(address: str, event: Event, checksums: Mapping[str, Any]) -> Iterator[PlayJobs]:
    """What plays jobs on the cluster at an address. At the end the cluster is left, and one that was started for this
    is stopped.

    `checksums` are those of the event's agents on this machine. BuckError where there is no such cluster, it has
    no cores, or an agent cannot be sent to it.
    """
    _check_sent(event.agents)
    _join(address)
    try:
        if not ray.cluster_resources().get("CPU"):
            raise BuckError(
                f"ray: {address}: the cluster has no cores to play on; start a node with --num-cpus=1 or more"
            )
        table = ray.put(_Table(event, versions(), checksums, os.getcwd()))
        yield lambda jobs: _shards(table, jobs)
    finally:
        ray.shutdown()


def _check_sent(agents: Mapping[str, str | Agent]) -> None:
    """Raise BuckError where an agent is given as an object that cannot be copied."""
    for label, agent in agents.items():
        try:
            ray.cloudpickle.dumps(agent)
        except Exception as error:  # an agent's own classes raise what they like
            raise BuckError(
                f"ray: {label}: the agent cannot be sent to other nodes: {_line(error)}; give its name instead"
            ) from None


def _join(address: str) -> None:
    """Connect to a cluster, or start one on this machine, without output and with the signal handlers as they were."""
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
            "and give the HOST:PORT that it prints, or give ray=local to start one for this event"
        ) from None
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)  # Ray takes it for itself


def _shards(table: Any, jobs: Iterable[Job]) -> Generator[Shard, None, None]:
    """Yield the shards of jobs in their order. As many are under way as keep every core of the cluster busy."""
    play = ray.remote(num_cpus=1, max_retries=_RETRIES)(_play)
    waiting: deque[Any] = deque()
    try:
        for job in jobs:
            waiting.append(play.remote([table], job))
            if len(waiting) > 2 * ray.cluster_resources().get("CPU", 1):  # nodes come and go
                yield _result(waiting.popleft())
        while waiting:
            yield _result(waiting.popleft())
    finally:
        for task in waiting:
            ray.cancel(task)


def _result(task: Any) -> Shard:
    try:
        shard: Shard = ray.get(task)
    except RayTaskError as error:
        if isinstance(error.cause, BuckError):
            raise error.cause from None
        raise BuckError(
            f"ray: a node could not play: {_line(error.cause)}; install this package on every node, and put the "
            "agents' files in the same places as here"
        ) from error
    except RayError as error:
        raise BuckError(
            f"ray: a shard was lost {_RETRIES + 1} times with the node or process that played it: {_line(error)}; "
            "--resume goes on from the shards that were kept"
        ) from None
    return shard


def _line(error: BaseException) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"


# --- On a node --------------------------------------------------------------------------------------------------------


def _play(table: list[Any], job: Job) -> Shard:
    event, agents = _sit_down(table[0])
    return play_shard(event, agents, job)


@cache
def _sit_down(table: Any) -> tuple[Event, dict[str, Agent]]:
    """The event and its agents, loaded once in a process. BuckError where they differ from those of the machine that
    counts."""
    there: _Table = ray.get(table)
    with suppress(OSError):
        os.chdir(there.folder)
    threadpool_limits(1)
    agents = there.event.seated()
    checksums = {label: checksum_of(agent) for label, agent in agents.items()}
    if (versions(), checksums) != (there.versions, there.checksums):
        raise BuckError(
            f"ray: the node {ray.util.get_node_ip_address()} has other versions of the game or its bots: "
            f"{versions()}, {checksums}, where {dict(there.versions)}, {dict(there.checksums)} are needed; install the "
            "same version there, and copy the same bots"
        )
    return there.event, agents
