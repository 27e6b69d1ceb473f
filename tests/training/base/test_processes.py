"""Jobs in processes: results come in order, and errors as they are."""

from __future__ import annotations

import os
import time
from multiprocessing import get_context

import pytest

from buck_env.base.errors import BuckError
from training.base.processes import Worker, in_processes


def _root(number: int) -> tuple[float, int]:
    if number < 0:
        raise BuckError(f"{number} has no root")
    return number**0.5, os.getpid()


def begin() -> Worker[int, tuple[float, int]]:
    return Worker(_root, {})


@pytest.mark.parametrize("processes", [1, 2])
def test_results_come_in_the_order_of_the_jobs(processes: int) -> None:
    results = list(in_processes(begin, (k * k for k in range(9)), processes, "roots"))
    assert [root for root, _ in results] == list(range(9))
    assert (os.getpid() in {process for _, process in results}) == (processes == 1)


def test_other_processes_of_the_caller_are_left_alone() -> None:
    other = get_context("spawn").Process(target=time.sleep, args=(60,))
    other.start()
    try:
        assert len(list(in_processes(begin, [1, 4], 2, "roots"))) == 2
        other.join(0.2)
        assert other.exitcode is None
    finally:
        other.kill()
        other.join()


def test_an_error_in_a_process_is_raised_as_it_is() -> None:
    with pytest.raises(BuckError, match=r"^-1 has no root$"):
        list(in_processes(begin, [1, -1], 2, "roots"))
