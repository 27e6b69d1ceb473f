"""A program on a leash: spoken to in lines, its output read within bounds, ended with all that it started.

It runs in a process group of its own, so that a ctrl-C is not its business. A second process, the guard, waits for
this one to end, however that comes about, and then kills the group: nothing is left behind.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from typing import Literal

__all__ = ["LONGEST_LINE", "FaultKind", "Process", "ProcessFault"]

LONGEST_LINE = 4096
"""Bytes; a program that writes a longer line is at fault."""
_CHUNK = 65536
_LAST_WORDS = 2000
"""Bytes kept of what the program wrote to stderr last."""
_GLANCE = 0.1
"""Seconds after which a silent program is looked at: is it still there?"""
_PARTING = 1.0
"""Seconds in which a program may end by itself after its input has ended."""

_GUARD = "import os, signal, sys; sys.stdin.read(); os.killpg(int(sys.argv[1]), signal.SIGKILL)"

FaultKind = Literal["start", "exit", "timeout", "output", "illegal", "given up"]


class ProcessFault(Exception):
    """What a program did wrong: a kind, and in words."""

    def __init__(self, kind: FaultKind, told: str) -> None:
        super().__init__(told)
        self.kind: FaultKind = kind


class Process:
    """A running program. ProcessFault("start") where it cannot be run."""

    def __init__(self, arguments: Sequence[str]) -> None:
        try:
            self._program = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise ProcessFault("start", f"cannot be run: {error.strerror}") from None
        try:
            guard = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _GUARD, str(self._program.pid)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            _end(self._program, None, os.getpid())
            raise ProcessFault("start", f"its guard cannot be run: {error.strerror}") from None
        self.owner = os.getpid()
        """The process whose child it is; one that was forked from it has none."""
        self._guard = guard
        self._finalizer = weakref.finalize(self, _end, self._program, guard, self.owner)
        self._to_send = bytearray()
        self._received = bytearray()
        self._last_words = b""
        self._selector = selectors.DefaultSelector()
        for stream in (self._program.stdin, self._program.stdout, self._program.stderr):
            assert stream is not None
            os.set_blocking(stream.fileno(), False)
        self._selector.register(self._program.stdout, selectors.EVENT_READ, Process._read)  # type: ignore[arg-type]
        self._selector.register(self._program.stderr, selectors.EVENT_READ, Process._listen)  # type: ignore[arg-type]

    def send(self, line: bytes) -> None:
        """Write a line, its end included: what the program does not take at once during the next `receive`."""
        if not self._to_send:
            self._selector.register(self._program.stdin, selectors.EVENT_WRITE, Process._write)  # type: ignore[arg-type]
        self._to_send += line
        self._write()

    def receive(self, seconds: float) -> list[bytes]:
        """The lines that have come, one at least, their ends cut off; ProcessFault where none comes in so many seconds,
        where the program has ended, or where it writes a line without an end."""
        deadline = time.monotonic() + seconds
        while True:
            ready = self._selector.select(max(0.0, min(_GLANCE, deadline - time.monotonic())))
            for key, _ in ready:
                key.data(self)  # bound methods would tie the process to itself
            if not ready and self._program.poll() is not None:  # what it started may hold its output open
                raise ProcessFault("exit", self._ended())
            *lines, rest = self._received.split(b"\n")
            if max(map(len, (*lines, rest))) > LONGEST_LINE:
                raise ProcessFault("output", f"a line of more than {LONGEST_LINE} bytes")
            if lines:
                self._received = rest
                return [bytes(line) for line in lines]
            if time.monotonic() >= deadline:
                raise ProcessFault("timeout", f"no answer within {seconds:g} s{self._quoted()}")

    def close(self, parting: float = _PARTING) -> None:
        """End the program by ending its input, and after so many seconds all that is left of its group by force."""
        self._selector.close()
        if self._finalizer.detach():
            _end(self._program, self._guard, self.owner, parting)

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
            raise ProcessFault("exit", self._ended())
        self._received += data

    def _listen(self) -> None:
        if not self._heard():
            self._selector.unregister(self._program.stderr)  # type: ignore[arg-type]

    def _heard(self) -> bytes:
        """What has come on stderr since, empty at its end."""
        assert self._program.stderr is not None
        data = os.read(self._program.stderr.fileno(), _CHUNK)
        self._last_words = (self._last_words + data)[-_LAST_WORDS:]
        return data

    def _ended(self) -> str:
        try:
            status = self._program.wait(_PARTING)
        except subprocess.TimeoutExpired:
            return f"closed its output{self._quoted()}"
        with suppress(BlockingIOError):
            self._heard()
        told = f"ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"{told}{self._quoted()}"

    def _quoted(self) -> str:
        """The last line that it wrote to stderr, as part of a message."""
        lines = self._last_words.decode(errors="replace").split("\n")
        last = next((line for line in reversed(lines) if line.strip()), "")
        return f"; it said: {last.strip()[:200]!r}" if last else ""


def _end(
    program: subprocess.Popen[bytes],
    guard: subprocess.Popen[bytes] | None,
    owner: int,
    parting: float = _PARTING,
) -> None:
    """End a program with its group, and its guard; a fork of the owner only lets go of them."""
    assert program.stdin is not None
    with suppress(OSError):
        program.stdin.close()
    if os.getpid() == owner:
        with suppress(subprocess.TimeoutExpired):
            program.wait(parting)
        with suppress(ProcessLookupError, PermissionError):  # the group is empty
            os.killpg(program.pid, signal.SIGKILL)
        if guard:
            guard.kill()
            guard.wait()
        program.wait()
    for stream in (program.stdout, program.stderr, guard and guard.stdin):
        if stream:
            stream.close()
