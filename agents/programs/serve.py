"""The other end of `agents.programs.command`: an agent of this project as a child process of whatever program.

It reads requests as JSON lines and answers each with an action. Requests that come together are decided together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, BinaryIO

from agents.programs.position import action_texts, parse_position, views_of
from agents.programs.protocol import LONGEST_REQUEST, STAMPS, ProtocolError, format_line, parse_line, ready
from buck_env.base.errors import BuckError, RulesError
from buck_env.game.house import load_rules
from buck_env.game.rules import PROFILES, Rules
from buck_env.observation.agent import Agent
from buck_env.observation.views import Views

__all__ = ["serve"]


def serve(
    name: str,
    load: Callable[[str, Rules], Agent],
    rules: Rules | None,
    requests: BinaryIO,
    answers: BinaryIO,
) -> None:
    """Answer for the agent that `load` returns for a name, until the requests end.

    The rules are those of the first line, or those given where it names none. A request that cannot be answered is
    answered by ``{"id": …, "error": …}``. ProtocolError or AgentError where the first line or the agent is unfit.
    """
    agent = load(name, rules) if rules else None
    batches = _batches(requests)
    first, *more = next(batches, [b""])
    rules = _rules_of_game(first, rules)
    agent = agent or load(name, rules)
    _write(answers, [ready(name)])
    _answer(agent, rules, more, answers)
    for lines in batches:
        _answer(agent, rules, lines, answers)


def _batches(requests: BinaryIO) -> Iterator[list[bytes]]:
    """The lines, as many at a time as have come."""
    held = b""
    while data := requests.read1(2**16):  # type: ignore[attr-defined]  # which every buffered reader has
        *lines, held = (held + data).split(b"\n")
        if max(map(len, (*lines, held))) > LONGEST_REQUEST:
            raise ProtocolError(
                f"a line of more than {LONGEST_REQUEST} bytes; each is one JSON object, as agents/README.md describes"
            )
        if lines:
            yield lines
    if held:
        yield [held]


def _rules_of_game(line: bytes, rules: Rules | None) -> Rules:
    """The rules of the game, once the first line has been found to be of this protocol and these versions."""
    hello = _parsed(line, "the first line")
    for key, ours in STAMPS.items():
        if hello.get(key, None if key == "protocol" else ours) != ours:
            raise ProtocolError(f"the first line: {key} is {hello.get(key)!r}; allowed: {ours!r}")
    source = hello.get("rules")
    if source is None and rules:
        return rules
    if not (isinstance(source, dict) or (isinstance(source, str) and source in PROFILES)):
        raise RulesError(f"the first line: rules: {source!r}; allowed: {', '.join(PROFILES)}, or a JSON object")
    theirs = load_rules(source)
    if rules and theirs != rules:
        raise RulesError(f"the first line: rules: {theirs.name} is to be played, but --rules says {rules.name}")
    return theirs


def _answer(agent: Agent, rules: Rules, lines: list[bytes], answers: BinaryIO) -> None:
    """Answer some requests, in their order."""
    messages: list[dict[str, Any]] = []
    asked: list[dict[str, Any]] = []
    views: list[Views] = []
    for line in lines:
        answer: dict[str, Any] = {"id": None}
        messages.append(answer)
        try:
            request = _parsed(line, "request")
            answer["id"] = request.pop("id", None)
            views.append(views_of(parse_position(request, "request"), rules, "request"))
            asked.append(answer)
        except BuckError as error:
            answer["error"] = str(error)
    if views:
        together = Views.join(views)
        for answer, action in zip(asked, action_texts(agent.act(together), together), strict=True):
            answer["action"] = action
    _write(answers, messages)


def _parsed(line: bytes, where: str) -> dict[str, Any]:
    try:
        return parse_line(line)
    except ProtocolError as error:
        raise ProtocolError(f"{where}: {error}") from None


def _write(answers: BinaryIO, messages: Iterable[dict[str, Any]]) -> None:
    answers.write(b"".join(map(format_line, messages)))
    answers.flush()
