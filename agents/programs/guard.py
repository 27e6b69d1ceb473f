"""The parent of a program, a script in a process of its own: when it ends, so does all that the program has started.

    python guard.py CONTROL COMMAND…

CONTROL is the number of a socket. The guard writes to it how the start of the command went, 0 or an errno. When the
socket's other end is closed, as it is by the end of the game however that comes about, or when the program ends, the
guard kills every descendant that is left, and ends as the program did. It tries so for PATIENCE seconds: a process of
another user, as a set-user-ID program is, or one that the kernel holds in a call, cannot be killed.

On Linux a descendant whose own parent has ended becomes a child of the guard, whatever group or session it is in.
Elsewhere the program's process group is killed.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress

PATIENCE = 5.0

_LINUX = sys.platform == "linux"
_PARENT_DEATH_SIGNAL, _CHILD_SUBREAPER = 1, 36


def _control_process(option: int, value: int) -> None:
    if _LINUX:
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def guard(control: int, arguments: list[str]) -> int:
    """Run the program until it ends or is to end; its status as `subprocess` has it."""
    _control_process(_CHILD_SUBREAPER, 1)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    try:
        program = subprocess.Popen(
            arguments,
            start_new_session=True,
            preexec_fn=lambda: _control_process(_PARENT_DEATH_SIGNAL, signal.SIGKILL),  # where the guard is killed
        )
    except OSError as error:
        os.write(control, str(error.errno).encode())
        return 0
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)  # their other ends are the program's alone
    os.write(control, b"0")
    while program.poll() is None:
        if control in select.select([control, woken], [], [])[0]:
            break
        os.read(woken, 4096)
    deadline = time.monotonic() + PATIENCE
    _end_all(program.pid, deadline)
    try:
        return program.wait(max(0.0, deadline - time.monotonic()))
    except subprocess.TimeoutExpired:
        return -signal.SIGKILL


def _end_all(group: int, deadline: float) -> None:
    """Kill the descendants of this process until there are none, or time is up."""
    while time.monotonic() < deadline:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)
        for process in _descendants():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        if not _LINUX:
            return
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not _descendants():
            return
        select.select([], [], [], 0.005)


def _descendants() -> list[int]:
    """The descendants of this process as far as /proc knows them, its children first."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if _LINUX else ():
        with suppress(OSError, ValueError), open(f"/proc/{int(name)}/stat", "rb") as file:
            children.setdefault(int(file.read().rpartition(b")")[2].split()[1]), []).append(int(name))
    found = list(children.get(os.getpid(), ()))
    for process in found:
        found += children.get(process, ())
    return found


if __name__ == "__main__":
    status = guard(int(sys.argv[1]), sys.argv[2:])
    if status < 0:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if -status != signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    sys.exit(status)
