"""A program on a leash."""

from __future__ import annotations

import os
import sys

import pytest

from agents.programs.faults import ProgramFault
from agents.programs.process import Process
from agents.programs.protocol import LONGEST_ANSWER


def program(code: str) -> Process:
    return Process([sys.executable, "-c", code])


def test_lines_come_back_whole_however_they_are_written() -> None:
    process = program(
        "import sys\nfor part in ('on', 'e\\ntw', 'o\\n'): sys.stdout.write(part); sys.stdout.flush()\ninput()"
    )
    lines: list[bytes] = []
    while len(lines) < 2:
        lines += process.receive(60)
    assert lines == [b"one", b"two"]
    assert process.owner == os.getpid()
    process.close()


def test_a_line_larger_than_a_pipe_is_sent_while_answers_are_awaited() -> None:
    process = program("print(len(input()))")
    process.send(b"x" * 500_000 + b"\n")
    assert process.receive(60) == [b"500000"]
    process.close()


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("raise SystemExit(3)", "exit", "ended with status 3"),
        ("import sys; sys.exit('no rules here')", "exit", "ended with status 1; it said: 'no rules here'"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "exit", "ended by signal 9"),
        (f"print('x' * {LONGEST_ANSWER + 1}); input()", "output", f"a line of more than {LONGEST_ANSWER} bytes"),
    ],
)
def test_how_a_program_failed_is_said(code: str, kind: str, words: str) -> None:
    process = program(code)
    with pytest.raises(ProgramFault, match=words) as raised:
        process.receive(60)
    assert raised.value.kind == kind
    process.close()


def test_a_silent_program_is_waited_for_no_longer_than_allowed() -> None:
    process = program("input()")
    with pytest.raises(ProgramFault, match=r"no answer within 0\.2 s") as raised:
        process.receive(0.2)
    assert raised.value.kind == "timeout"
    process.close()
