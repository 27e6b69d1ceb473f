"""A clock for what measures time."""

from __future__ import annotations


class Clock:
    """Stands for the module `time`: every look at it is a second later."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        self.now += 1
        return self.now
