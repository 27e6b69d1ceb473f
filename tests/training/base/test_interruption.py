"""Requests to stop are noted, and a lost reader is no reason to stop."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from training.base.interruption import even_if_nobody_reads, interruptible


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_request_to_stop_is_noted_and_the_handler_of_before_comes_back(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    with interruptible() as interrupted:
        assert not interrupted
        os.kill(os.getpid(), number)
        assert interrupted == [number]
    assert signal.getsignal(number) is before


def test_another_thread_is_never_interrupted_and_leaves_the_handlers_alone() -> None:
    before, found = signal.getsignal(signal.SIGINT), []

    def work() -> None:
        with interruptible() as interrupted:
            found.append((list(interrupted), signal.getsignal(signal.SIGINT) is before))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [([], True)]


def test_a_reader_that_has_gone_stops_nothing_and_other_errors_come_through() -> None:
    heard: list[str] = []

    def say(text: str) -> None:
        heard.append(text)
        raise BrokenPipeError if text == "gone" else OSError("full")

    even_if_nobody_reads(say)("gone")
    with pytest.raises(OSError, match="full"):
        even_if_nobody_reads(say)("here")
    assert heard == ["gone", "here"]
