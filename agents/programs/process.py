"""A program on a leash: lines are sent to it, and its output is read within bounds of length and time."""

from __future__ import annotations

import os
import selectors
import subprocess
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress

from agents.programs.faults import ProgramFault
from agents.programs.group import PARTING, end_group, start_group
from agents.programs.protocol import LONGEST_ANSWER

__all__ = ["Process"]

_CHUNK = 65536
_LAST_WORDS = 2000
"""Bytes kept of what the program wrote to stderr last."""
_GLANCE = 0.1
"""Seconds after which a silent program is looked at: is it still there?"""


class Process:
    """A running program. ProgramFault("start") where it cannot be run."""

    def __init__(self, arguments: Sequence[str]) -> None:
        self._program, self._control = start_group(arguments)
        self.owner = os.getpid()
        """The process whose child it is; one that was forked from it has none."""
        self._finalizer = weakref.finalize(self, end_group, self._program, self._control, self.owner)
        self._to_send = bytearray()
        self._received = bytearray()
        self._last_words = b""
        self._selector = selectors.DefaultSelector()
        for stream in (self._program.stdin, self._program.stdout, self._program.stderr):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
        self._selector.register(self._program.stdout, selectors.EVENT_READ, Process._read)  # type: ignore[arg-type]
        self._selector.register(self._program.stderr, selectors.EVENT_READ, Process._read_stderr)  # type: ignore[arg-type]

    def send(self, line: bytes) -> None:
        """Write a line, its end included. What the program does not take at once is written during `receive`."""
        if not self._to_send:
            self._selector.register(self._program.stdin, selectors.EVENT_WRITE, Process._write)  # type: ignore[arg-type]
        self._to_send += line
        self._write()

    def receive(self, seconds: float) -> list[bytes]:
        """The lines that have come, at least one, without their ends.

        ProgramFault where none comes in so many seconds, the program has ended, or a line is too long.
        """
        deadline = time.monotonic() + seconds
        while True:
            ready = self._selector.select(max(0.0, min(_GLANCE, deadline - time.monotonic())))
            for key, _ in ready:
                key.data(self)  # bound methods would tie the process to itself
            if not ready and self._program.poll() is not None:  # what it started may hold its output open
                raise ProgramFault("exit", self._ended())
            *lines, rest = self._received.split(b"\n")
            if max(map(len, (*lines, rest))) > LONGEST_ANSWER:
                raise ProgramFault("output", f"a line of more than {LONGEST_ANSWER} bytes")
            if lines:
                self._received = rest
                return [bytes(line) for line in lines]
            if time.monotonic() >= deadline:
                raise ProgramFault("timeout", f"no answer within {seconds:g} s{self._last_line()}")

    def close(self, parting: float = PARTING) -> None:
        """End the program: its input first, and after so many seconds all that it has started by force."""
        self._selector.close()
        if self._finalizer.detach():
            end_group(self._program, self._control, self.owner, parting)

    def _write(self) -> None:
        assert self._program.stdin is not None
        with suppress(BlockingIOError):
            try:
                del self._to_send[: os.write(self._program.stdin.fileno(), self._to_send[:_CHUNK])]
            except BrokenPipeError:  # that it has ended shows at its output
                self._to_send.clear()
        if not self._to_send:
            self._selector.unregister(self._program.stdin)

    def _read(self) -> None:
        assert self._program.stdout is not None
        data = os.read(self._program.stdout.fileno(), _CHUNK)
        if not data:
            raise ProgramFault("exit", self._ended())
        self._received += data

    def _read_stderr(self) -> None:
        if not self._take_stderr():
            self._selector.unregister(self._program.stderr)  # type: ignore[arg-type]

    def _take_stderr(self) -> bytes:
        """What has come on stderr since the last look; empty at its end."""
        assert self._program.stderr is not None
        data = os.read(self._program.stderr.fileno(), _CHUNK)
        self._last_words = (self._last_words + data)[-_LAST_WORDS:]
        return data

    def _ended(self) -> str:
        try:
            status = self._program.wait(PARTING)
        except subprocess.TimeoutExpired:
            return f"closed its output{self._last_line()}"
        with suppress(BlockingIOError):
            self._take_stderr()
        how = f"ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"{how}{self._last_line()}"

    def _last_line(self) -> str:
        """The last line that it wrote to stderr, as part of a message."""
        lines = self._last_words.decode(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        return f"; it said: {last.strip()[:200]!r}" if last else ""
