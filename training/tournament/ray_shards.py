"""The shards of an event as tasks of a Ray cluster.

Whichever node plays a shard, and however often it is lost with its node and played again, its task gives one result,
and results are taken in the order of the jobs.

Nodes need this package and the agents' files where they are here; both are checked before a node's first shard.
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
from training.tournament.shards import Event, Job, Play, Shard, play_shard

__all__ = ["players"]

_RETRIES = 3
"""Times that a shard lost with its node or process is played again."""
_PATIENCE = 10.0
"""Seconds that the cluster's address has to answer."""


@dataclass(frozen=True)
class _Table:
    """What a process of the cluster needs to sit down, and what must be the same there."""

    event: Event
    versions: Mapping[str, Any]
    checksums: Mapping[str, Any]
    folder: str
    """The folder that file names start from."""


@contextmanager
def players(address: str, event: Event, checksums: Mapping[str, Any]) -> Iterator[Play]:
    """Who plays jobs on the cluster at an address, which is left at the end; one started for this ends.

    `checksums` are those of the event's agents here. BuckError where there is no such cluster, it has no cores, or an
    agent cannot be sent to it.
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
    """BuckError where an agent is no name and cannot be copied."""
    for label, agent in agents.items():
        try:
            ray.cloudpickle.dumps(agent)
        except Exception as error:  # an agent's own classes raise what they like
            raise BuckError(
                f"ray: {label}: the agent cannot be sent to other nodes: {_line(error)}; give its name instead"
            ) from None


def _join(address: str) -> None:
    """Connect to a cluster, or start one on this machine; quietly, and with signals as they were."""
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
            "and give the HOST:PORT it tells, or ray=local for one of this machine"
        ) from None
    finally:
        if main:
            signal.signal(signal.SIGTERM, before)  # Ray takes it for itself


def _shards(table: Any, jobs: Iterable[Job]) -> Generator[Shard, None, None]:
    """The shards of jobs in their order; as many are under way as keep every core of the cluster busy."""
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
            f"ray: a node could not play: {_line(error.cause)}; every node needs this package and the agents' files "
            "where they are here"
        ) from error
    except RayError as error:
        raise BuckError(
            f"ray: a shard was lost {_RETRIES + 1} times with the node or process that played it: {_line(error)}; "
            "--resume goes on from what is kept"
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
    """The event and its agents, once in a process, if they are those of where it is counted."""
    told: _Table = ray.get(table)
    with suppress(OSError):
        os.chdir(told.folder)
    threadpool_limits(1)
    agents = told.event.seated()
    checksums = {label: checksum_of(agent) for label, agent in agents.items()}
    if (versions(), checksums) != (told.versions, told.checksums):
        raise BuckError(
            f"ray: the node {ray.util.get_node_ip_address()} has other versions of the game or its bots: "
            f"{versions()}, {checksums}, where {dict(told.versions)}, {dict(told.checksums)} are needed; install and "
            "copy there what is here"
        )
    return told.event, agents
