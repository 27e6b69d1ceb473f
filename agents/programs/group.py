"""A program and all that it starts, under a guard that outlives this process.

A ctrl-C reaches only this process, not the program. The guard is the program's parent: it waits for this process to
end, however that comes about, and then kills whatever the program has started.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from agents.programs.faults import ProgramFault
from agents.programs.guard import PATIENCE

__all__ = ["PARTING", "Child", "end_group", "start_group"]

Child = subprocess.Popen[bytes]

PARTING: Final = 1.0
"""Seconds in which a program may end by itself after its input has ended."""
_ENDING = 2 * PATIENCE
"""Seconds in which the guard kills what is left, and ends."""
_GUARD = str(Path(__file__).with_name("guard.py"))


def start_group(arguments: Sequence[str]) -> tuple[Child, socket.socket]:
    """The guard of a running program, with the program's streams and in the end its status, and the socket whose end is
    the program's; ProgramFault("start") where either cannot be run."""
    control, theirs = socket.socketpair()
    try:
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", _GUARD, str(theirs.fileno()), *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
    except OSError as error:
        control.close()
        raise ProgramFault("start", f"its guard cannot be run: {error.strerror}") from None
    finally:
        theirs.close()
    started = control.recv(16)
    if started != b"0":
        end_group(child, control, os.getpid())
        reason = os.strerror(int(started)) if started else "its guard ended"
        raise ProgramFault("start", f"cannot be run: {reason}")
    return child, control


def end_group(child: Child, control: socket.socket, owner: int, parting: float = PARTING) -> None:
    """End a program by ending its input, then by force all that is left of what it started.

    `owner` is the process that started it; a fork of it only closes its ends of the pipes.
    """
    assert child.stdin is not None
    with suppress(OSError):
        child.stdin.close()
    if os.getpid() == owner:
        with suppress(subprocess.TimeoutExpired):
            child.wait(parting)
        control.close()
        with suppress(subprocess.TimeoutExpired):
            child.wait(_ENDING)
    else:
        control.close()
    for stream in (child.stdout, child.stderr):
        if stream:
            stream.close()
