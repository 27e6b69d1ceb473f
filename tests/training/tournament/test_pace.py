"""An event is cut into jobs that are small at first, and then as large as their time allows."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from training.tournament.pace import Pace
from training.tournament.shards import Job
from training.tournament.tally import BLOCK


def took(job: Job, seatings: int, seconds: float) -> Any:
    """A shard whose tables took so many seconds each."""
    tables = job.seatings[1] - job.seatings[0] if job.seatings else seatings
    return SimpleNamespace(scores=np.zeros((job.deals, tables, 4)), seconds=seconds * job.deals * tables)


@pytest.mark.parametrize("seconds", [1e-5, 1e-3, 0.02, 0.3, 5.0])
@pytest.mark.parametrize("at", [(0, 0), (49, 12), (57, 3), (100, 0)])
def test_jobs_take_every_table_once_end_with_blocks_and_last_about_a_second(
    seconds: float, at: tuple[int, int]
) -> None:
    seatings, deals = 13, 430
    pace = Pace("hands", deals, seatings, 2_000, at)
    jobs = []
    for job in pace.jobs(deals):
        jobs.append(job)
        pace.note(took(job, seatings, seconds))
    assert jobs[0].start == at
    assert all(before.end(seatings) == job.start for before, job in pairwise(jobs))
    assert jobs[-1].end(seatings) == (deals, 0)
    for job in jobs:
        tables = took(job, seatings, 1.0).seconds
        assert tables == 1 or tables * seconds <= 1.1
        assert tables <= 2_000
        within = job.first // BLOCK == (job.first + job.deals - 1) // BLOCK
        whole = job.first % BLOCK == 0 and (job.first + job.deals in (deals, job.first + job.deals // BLOCK * BLOCK))
        assert within or whole
    sizes = [took(job, seatings, 1.0).seconds for job in jobs]
    assert sizes[0] == 1
    assert all(size <= 8 * max(sizes[: n + 1]) for n, size in enumerate(sizes[1:]))


def test_jobs_end_where_it_has_to_be_seen_whether_more_are_needed() -> None:
    pace = Pace("hands", 700, 13, 10_000, (0, 0))
    first = list(pace.jobs(500))
    assert first[-1].end(13) == (500, 0) == (pace.deal, 0)
    assert next(pace.jobs(550)).start == (500, 0)
