"""A program and all that it starts: a process group of its own, and a guard that outlives this process.

A ctrl-C reaches only this process, not the group. The guard is a second process that waits for this one to end, however
that comes about, and then kills the group: nothing is left behind.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from agents.programs.faults import ProgramFault

__all__ = ["PARTING", "Child", "Guard", "end_group", "start_group"]

Child = subprocess.Popen[bytes]
Guard = subprocess.Popen[bytes]

PARTING: Final = 1.0
"""Seconds in which a program may end by itself after its input has ended."""

_GUARD = "import os, signal, sys; sys.stdin.read(); os.killpg(int(sys.argv[1]), signal.SIGKILL)"


def start_group(arguments: Sequence[str]) -> tuple[Child, Guard]:
    """A running program and its guard; ProgramFault("start") where either cannot be run."""
    try:
        program = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
    except OSError as error:
        raise ProgramFault("start", f"cannot be run: {error.strerror}") from None
    try:
        guard = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _GUARD, str(program.pid)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError as error:
        end_group(program, None, os.getpid())
        raise ProgramFault("start", f"its guard cannot be run: {error.strerror}") from None
    return program, guard


def end_group(program: Child, guard: Guard | None, owner: int, parting: float = PARTING) -> None:
    """End a program by ending its input, then by force all that is left of its group, and its guard.

    `owner` is the process that started them; a fork of it only closes its ends of their pipes.
    """
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
