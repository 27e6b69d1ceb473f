"""Nothing is left behind, however an event ends."""

from __future__ import annotations

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
