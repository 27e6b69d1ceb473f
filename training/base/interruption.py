"""Ending at the next good moment: requests to stop are noted, and a lost reader of the output is no reason to stop."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

__all__ = ["even_if_nobody_reads", "interruptible"]


@contextmanager
def interruptible() -> Iterator[list[int]]:
    """A list that is empty until ctrl-C, or a request to end, comes: whoever holds it finishes what it is doing, then
    stops. In any but the main thread, which alone receives signals, it stays empty."""
    received: list[int] = []

    def note(number: int, _: Any) -> None:
        received.append(number)

    try:
        before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    except ValueError:  # not the main thread
        yield received
        return
    try:
        yield received
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def even_if_nobody_reads(say: Callable[[str], None]) -> Callable[[str], None]:
    """`say`, without an error where the reader of the output has gone."""

    def say_on(text: str) -> None:
        with suppress(BrokenPipeError):
            say(text)

    return say_on
