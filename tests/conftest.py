"""What holds for every test."""

from __future__ import annotations

import signal

import pytest

# A shell that starts the tests in the background ignores ctrl-C for them and for every program that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """How long `make soak` takes, as in `make soak SOAK='--hands 20000 --kills 5 --minutes 2'`."""
    group = parser.getgroup("soak")
    group.addoption("--hands", type=int, default=1_000_000, help="hands of random houses, against the slow engine")
    group.addoption("--kills", type=int, default=100, help="how often a training run and an event are killed")
    group.addoption("--minutes", type=float, default=60.0, help="how long the memory of each of them is watched")
