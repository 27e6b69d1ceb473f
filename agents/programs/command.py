"""A program as an agent: `cmd:node mybot.js` is sent decisions as JSON lines and answers each with an action.

Whatever a program does wrong is counted, reported once, and replaced: a fault never stops a game.
"""

from __future__ import annotations

import itertools
import os
import shlex
import shutil
import sys
from collections import Counter, deque
from typing import Any

import numpy as np

from agents.programs.faults import FORFEIT, ProgramFault
from agents.programs.now import now_of
from agents.programs.position import position_of
from agents.programs.process import Process
from agents.programs.protocol import PROTOCOL, ProtocolError, format_line, hello, parse_line
from agents.programs.settings import CommandSettings
from buck_env.base.errors import shortened
from buck_env.game.actions import action_id, action_text
from buck_env.game.engine import permitted_rows
from buck_env.game.options import PHASES
from buck_env.game.rules import Rules
from buck_env.observation.agent import AgentError
from buck_env.observation.views import Views, pick_evenly

__all__ = ["CommandAgent", "load_command"]

_AHEAD = 64
"""Decisions that a program is sent ahead of its answers."""
_TOGETHER = 8
"""Decisions that are written at once."""
_IN_A_ROW, _IN_ALL = 3, 100
"""Failures, without a valid answer between them and in all, after which a program is not started again."""


class CommandAgent:
    """Asks a program. It is started at the first decision, and again where it has failed, but not without end."""

    def __init__(self, arguments: list[str], rules: Rules, settings: CommandSettings) -> None:
        self.rules = rules
        self.settings = settings
        self.program_counts: Counter[str] = Counter()
        """The `decisions` it was asked for, those that were `replaced`, and its faults by their kind."""
        self._arguments = arguments
        self._process: Process | None = None
        self._ids = itertools.count()
        self._wants_now = False
        """Whether the program has asked for `now` beside each view."""
        self._failed_in_a_row = self._failed_in_all = 0

    @property
    def files(self) -> list[str]:
        """The files that its command names: its code, as far as that can be known."""
        named = [argument for argument in self._arguments if os.path.isfile(argument)]
        return named or [found for found in (shutil.which(self._arguments[0]),) if found]

    def act(self, views: Views) -> np.ndarray:
        """Legal actions (B,) of B views; FORFEIT where the program is at fault, if faults forfeit."""
        self.program_counts["decisions"] += len(views)
        try:
            actions = self._ask(views)
        except BaseException:
            self.close()  # an answer may be on its way that nobody waits for
            raise
        missing = np.flatnonzero(actions == FORFEIT)
        if len(missing):
            self.program_counts["replaced"] += len(missing)
            if self.settings.on_fault == "random":
                actions[missing] = pick_evenly(views.action_mask[missing], views.uniforms[missing])
        return actions

    def close(self) -> None:
        """End the program; the next decision would start it again."""
        if self._process:
            self._process.close()
            self._process = None

    def _ask(self, views: Views) -> np.ndarray:
        """The program's actions (B,), FORFEIT where it is at fault."""
        actions = np.full(len(views), FORFEIT, np.int64)
        permitted = np.empty(len(views), np.int64)
        permitted_rows(views.tables, self.rules.packed(), permitted)
        waiting = deque(range(len(views)))
        asked: dict[int, int] = {}  # id: row, in the order of asking
        while waiting or asked:
            if self._failed_in_a_row >= _IN_A_ROW or self._failed_in_all >= _IN_ALL:
                self._count(ProgramFault("given up", "has failed too often and is not started again"), len(waiting))
                break
            try:
                process = self._running()
                while waiting and len(asked) < _AHEAD:
                    rows = [waiting.popleft() for _ in range(min(_TOGETHER, len(waiting), _AHEAD - len(asked)))]
                    numbered = dict(zip(itertools.islice(self._ids, len(rows)), rows, strict=True))
                    asked |= numbered
                    process.send(b"".join(self._question(n, views, row) for n, row in numbered.items()))
                for line in process.receive(self.settings.timeout):
                    self._take(line, asked, actions, views, permitted)
            except ProgramFault as fault:  # what was asked first goes without an answer, the rest is asked again
                self._fail(fault)
                waiting.extendleft(reversed(list(asked.values())[1:]))
                asked.clear()
        return actions

    def _question(self, number: int, views: Views, row: int) -> bytes:
        """A decision as the line that asks for it."""
        message: dict[str, Any] = {"id": number, **position_of(views, row)}
        if self._wants_now:
            message["now"] = now_of(views, row)
        return format_line(message)

    def _running(self) -> Process:
        """The program, started and greeted."""
        if self._process and self._process.owner != os.getpid():
            self._process = None  # this process was forked from its owner: it starts one of its own
        if not self._process:
            self._process = Process(self._arguments)
            try:
                self._process.send(format_line(hello(self.rules)))
                first, *more = self._process.receive(self.settings.start_timeout)
                answer = _parsed(first)
                if more or answer.get("protocol") != PROTOCOL:
                    raise ProgramFault("output", f'its first line is not {{"protocol": "{PROTOCOL}"}}: {_short(first)}')
                if "declines" in answer:
                    self._decline(answer["declines"])
                self._wants_now = answer.get("now") is True
            except ProgramFault as fault:
                raise ProgramFault("start", str(fault)) from None
        return self._process

    def _decline(self, reason: object) -> None:
        """AgentError: the program does not play these rules."""
        self.close()
        why = shortened(" ".join(str(reason).split()), 200)
        raise AgentError(
            f"agent: 'cmd:{shlex.join(self._arguments)}' declines the rules {self.rules.name}: {why};"
            " seat it where rules that it knows are played"
        )

    def _take(
        self, line: bytes, asked: dict[int, int], actions: np.ndarray, views: Views, permitted: np.ndarray
    ) -> None:
        """Enter an answer; one that is none of those awaited is a fault of the process."""
        answer = _parsed(line)
        number = answer.get("id")
        if isinstance(number, bool) or not isinstance(number, int) or number not in asked:
            raise ProgramFault("output", f"an answer to no decision asked: {_short(line)}")
        row = asked.pop(number)
        self._failed_in_a_row = 0
        action = _action(answer.get("action"), PHASES[views.tables["phase"][row]], int(permitted[row]))
        if action == FORFEIT:
            self._count(ProgramFault("illegal", f"seat {views.seats[row]} may not {_short(line)}"))
        actions[row] = action

    def _fail(self, fault: ProgramFault) -> None:
        """Count a fault of the process, and end it."""
        self._count(fault)
        self._failed_in_a_row += 1
        self._failed_in_all += 1
        if self._process:
            self._process.close(parting=0.0)
            self._process = None

    def _count(self, fault: ProgramFault, times: int = 1) -> None:
        if not self.program_counts[fault.kind]:
            print(
                f"cmd:{shlex.join(self._arguments)}: {fault.kind}: {fault} (reported once)", file=sys.stderr, flush=True
            )
        self.program_counts[fault.kind] += times


def load_command(command: str, rules: Rules, settings: CommandSettings | None = None) -> CommandAgent:
    """The agent of a command line, split as a shell splits it but run without one; AgentError where there is none."""
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise AgentError(f"agent: 'cmd:{command}': {error}") from None
    if os.name != "posix":
        raise AgentError(f"agent: 'cmd:{command}': programs play on POSIX systems alone, for their process groups")
    if not shutil.which(arguments[0]):
        raise AgentError(
            f"agent: 'cmd:{command}': there is no program {arguments[0]!r}; give its path, or put it on PATH"
        )
    return CommandAgent(arguments, rules, settings or CommandSettings())


def _parsed(line: bytes) -> dict[str, Any]:
    """The JSON object of an answer; ProgramFault where it is none."""
    try:
        return parse_line(line)
    except ProtocolError:
        raise ProgramFault(
            "output", f"not a JSON object: {_short(line)}; a program's own words belong on stderr"
        ) from None


def _action(text: object, phase: str, permitted: int) -> int:
    """The action of a text as hand records have it, or FORFEIT where it is not among those permitted, a bit each."""
    try:
        action = action_id(text)  # type: ignore[arg-type]
    except ValueError:
        return FORFEIT
    return action if permitted >> action & 1 and action_text(action, phase) == text else FORFEIT


def _short(line: bytes) -> str:
    text = line.decode(errors="backslashreplace")
    return repr(shortened(text, 80))
