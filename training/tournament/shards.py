"""An event in shards. A shard is some deals in all their line-ups; it may be played anywhere, and shards are returned
in order."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np

from agents import Agent, load_agent, tally_of
from agents.programs.settings import CommandSettings
from buck_env.environments.tables import Tables
from buck_env.game.rules import Rules
from training.base.processes import Worker, in_processes
from training.base.provenance import checksum_of
from training.measuring.arena import play_hands, play_matches
from training.measuring.behaviour import BEHAVIOUR, count_hands
from training.measuring.duplicate import deal_seeds
from training.tournament.lineups import Lineups
from training.tournament.tally import BLOCK

__all__ = ["Event", "Job", "Kind", "PlayJobs", "Shard", "play_shard", "play_shards", "sit_down"]

Kind = Literal["hands", "matches"]
_STREAMS: Mapping[Kind, int] = {"hands": 0, "matches": 1}


@dataclass(frozen=True)
class Event:
    """All that a shard follows from, apart from which deals it holds. It can be sent to another process or machine."""

    rules: Rules
    agents: Mapping[str, str | Agent]
    """For each label an agent, or the name of one, which is loaded where it plays."""
    lineups: Lineups
    seed: int
    programs: CommandSettings = field(default_factory=CommandSettings)
    """The limits on programs that are loaded by their names."""

    def seated(self) -> dict[str, Agent]:
        """The agent of each label; those that are given by name are loaded."""
        return {
            label: load_agent(agent, self.rules, self.programs) if isinstance(agent, str) else agent
            for label, agent in self.agents.items()
        }

    def seatings(self, kind: Kind) -> np.ndarray:
        """The seatings (M, S) in which every deal is played.

        Of matches there are M - K: an agent among its like has its par without playing.
        """
        return self.lineups.varied if kind == "matches" else self.lineups.seatings

    def seeds(self, kind: Kind, first: int, deals: int) -> np.ndarray:
        """The seeds of the tables of these deals, shape (deals,) uint64. Hands and matches have a stream each."""
        return deal_seeds(self.seed, deals, _STREAMS[kind], first=first)


@dataclass(frozen=True)
class Job:
    """The deals of a shard in all their seatings, or one deal in some of them."""

    kind: Kind
    first: int
    deals: int
    seatings: tuple[int, int] | None = None
    """Of one deal the first of its seatings, and the one after the last; None for all."""

    @property
    def start(self) -> tuple[int, int]:
        """The first deal, and the first of its seatings."""
        return self.first, self.seatings[0] if self.seatings else 0

    def end(self, seatings: int) -> tuple[int, int]:
        """The deal, and the first of its seatings, with which the next job begins."""
        if self.seatings and self.seatings[1] < seatings:
            return self.first, self.seatings[1]
        return self.first + self.deals, 0


@dataclass(frozen=True)
class Shard:
    """The outcome of a job."""

    job: Job
    scores: np.ndarray
    """(n, M, S) int16: points toward the target, or twelfths of the match; M are the seatings of the job."""
    lengths: np.ndarray | None
    """(n, M, 2) int32, of matches: deals played, redeals included, and 1 where the match was cut off."""
    program_counts: Mapping[str, Counter[str]]
    """The decisions and faults of each label's programs in these deals, for agents that ask any."""
    behaviour: np.ndarray | None
    """(B, K, S) BEHAVIOUR, of hands: what each agent did in each block of deals, by its seat from the dealer. What was
    done for a seat that forfeited is not counted."""
    seconds: float = 0.0
    """How long it was played."""


PlayJobs = Callable[[Iterable[Job | None]], Generator[Shard, None, None]]
"""Plays jobs somewhere, and yields their shards in the order of the jobs; None waits for those before it."""


def play_shard(event: Event, agents: Mapping[str, Agent], job: Job) -> Shard:
    """Play the tables of a job, with the agents that the event seats."""
    began = time.perf_counter()
    seatings = event.seatings(job.kind)[slice(*job.seatings or (None,))]
    shape = job.deals, len(seatings)
    tables = np.tile(seatings, (job.deals, 1)), np.repeat(event.seeds(job.kind, job.first, job.deals), len(seatings))
    before = {label: tally_of(agent) for label, agent in agents.items()}
    lengths = behaviour = None
    if job.kind == "hands":
        behaviour = np.zeros((-(-job.deals // BLOCK), len(agents), event.rules.seats), BEHAVIOUR)
        per_block = BLOCK * len(seatings)

        def count(rows: slice, ended: Tables, forfeited: np.ndarray) -> None:
            blocks = np.arange(rows.start, rows.stop)[:, None] // per_block
            groups = np.where(forfeited, -1, blocks * len(agents) + tables[0][rows])
            count_hands(ended.finals, groups, event.rules, behaviour.reshape(-1, event.rules.seats))

        scores = play_hands(event.rules, agents, *tables, ended=count)
    else:
        matches = play_matches(event.rules, agents, *tables)
        scores = 12 * matches.shares
        lengths = np.stack([matches.hands, matches.truncated], axis=1).astype(np.int32).reshape(*shape, 2)
    program_counts = {label: counts for label, agent in agents.items() if (counts := tally_of(agent) - before[label])}
    points = np.rint(scores).astype(np.int16).reshape(*shape, -1)
    return Shard(job, points, lengths, program_counts, behaviour, time.perf_counter() - began)


def play_shards(
    event: Event, agents: Mapping[str, Agent], jobs: Iterable[Job | None], processes: int
) -> Generator[Shard, None, None]:
    """Yield the shards of jobs in their order. They are played here, or in processes of their own, which end when this
    generator does.

    Each process computes on one thread: with arrays as small as a network's, more threads wait for one another.
    BuckError where a process was killed or could not start.
    """
    begin = partial(sit_down, event, agents if processes == 1 else None)
    return in_processes(begin, jobs, processes, "tournament")


def sit_down(event: Event, agents: Mapping[str, Agent] | None = None) -> Worker[Job, Shard]:
    """What plays jobs, with these agents or with those that the event names, loaded here."""
    seated = event.seated() if agents is None else agents
    return Worker(partial(play_shard, event, seated), {label: checksum_of(agent) for label, agent in seated.items()})
