"""Nothing is left behind, however an event ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from places import ROOT
from programs import OHIO, Program, played


def hear_ctrl_c() -> None:
    """A shell starts what runs in the background with ctrl-C ignored, and its children inherit that."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda how: how.name)
def test_no_process_is_left_when_the_event_is_stopped(how: signal.Signals, program: Program, tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "training.cli.app",
        "evaluate",
        "random",
        "--against",
        program.name("hang"),
        "--deals",
    ]
    figures = ["--json", str(tmp_path / "figures.json")]
    event = subprocess.Popen(
        [*command, "2", *figures], cwd=ROOT, stderr=subprocess.PIPE, text=True, preexec_fn=hear_ctrl_c
    )
    deadline = time.monotonic() + 120
    while not program.log.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert len(program.running()) == 2
    event.send_signal(how)
    _, errors = event.communicate(timeout=30)
    assert event.returncode == (-how if how == signal.SIGKILL else 130), errors
    assert program.is_gone()


def test_no_process_is_left_at_the_end_of_a_script_and_a_fork_has_one_of_its_own(program: Program) -> None:
    code = f"""
import os, sys
sys.path[:0] = [{str(ROOT / "tests" / "support")!r}]
import numpy as np
from agents import load_agent
from programs import OHIO, played
agent = load_agent({program.name("well")!r}, OHIO)
expected = played(agent)
child = os.fork()
if not child:
    os._exit(not np.array_equal(played(agent), expected))
assert os.waitpid(child, 0)[1] == 0
assert np.array_equal(played(agent), expected)
assert set(agent.program_counts) == {{"decisions"}}
"""
    script = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert script.returncode == 0, script.stderr
    assert script.stderr == ""
    assert len([line for line in program.lines if b"protocol" in line]) == 2
    assert program.is_gone()


def test_an_agent_that_is_dropped_takes_its_program_along(program: Program) -> None:
    agent = program.agent(OHIO, "well")
    played(agent, 1)
    assert program.running()
    del agent
    assert program.is_gone()


RUNAWAY = """
import json, os, subprocess, sys, time
subprocess.Popen(["sleep", "3601.5"], start_new_session=True)  # in a session of its own
if not os.fork():  # and one whose parent has gone
    os.setsid()
    if not os.fork():
        os.execvp("sleep", ["sleep", "3601.5"])
    os._exit(0)
print(json.dumps({"protocol": json.loads(input())["protocol"]}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"id": asked["id"], "action": asked["legal"][0]}), flush=True)
"""


def sleepers(argument: str) -> int:
    table = subprocess.run(["ps", "-axwwo", "stat=,args="], capture_output=True, text=True, check=True).stdout
    return sum(line.split(maxsplit=1)[1:] == [f"sleep {argument}"] for line in table.splitlines() if line[0] != "Z")


def wait_for(number: int, argument: str, seconds: float = 10.0) -> bool:
    """Whether so many of them run within so many seconds."""
    deadline = time.monotonic() + seconds
    while sleepers(argument) != number and time.monotonic() < deadline:
        time.sleep(0.05)
    return sleepers(argument) == number


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has child subreapers")
@pytest.mark.parametrize("how", ["close", "exit", "SIGKILL"])
def test_what_a_program_has_started_ends_with_it_in_whatever_session_it_is(how: str, tmp_path: Path) -> None:
    argument = f"36{os.getpid()}.{len(how)}"
    script = tmp_path / "runaway.py"
    script.write_text(RUNAWAY.replace("3601.5", argument))
    code = f"""
import os, signal, sys
from agents.programs.process import Process
process = Process([sys.executable, "-S", {str(script)!r}])
process.send(b'{{"protocol": "v"}}\\n')
print(process.receive(60), flush=True)
input()
if {how!r} == "close":
    process.close()
    print("closed", flush=True)
    input()
if {how!r} == "SIGKILL":
    os.kill(os.getpid(), signal.SIGKILL)
"""
    game = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert game.stdin is not None
    assert game.stdout is not None
    assert "protocol" in game.stdout.readline()
    assert wait_for(2, argument)
    print(file=game.stdin, flush=True)
    if how == "close":
        assert game.stdout.readline() == "closed\n"
        assert sleepers(argument) == 0
    game.communicate("\n", timeout=30)
    assert wait_for(0, argument)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has signals at the death of a parent")
def test_a_guard_gives_up_what_it_may_not_kill() -> None:
    argument = f"37{os.getpid()}"
    code = f"""
import os, socket, sys
from agents.programs import guard
os.kill = os.killpg = lambda *_: None  # as if every process were another user's
guard.PATIENCE = 0.2
ours, control = socket.socketpair()
ours.shutdown(socket.SHUT_WR)
sys.exit(guard.guard(control.fileno(), ["sleep", {argument!r}]) != -9)
"""
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=120).returncode == 0
    assert wait_for(0, argument)  # the program itself ends with its parent
