"""The other end of `agents.programs.command`: an agent of this project as a child process of whatever program.

It is sent JSON lines and answers each with an action; the protocol stands in README.md. What it is sent together it
decides together.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, BinaryIO

from agents import Agent, load_agent
from agents.programs.command import PROTOCOL
from agents.programs.position import action_texts, parse_position, views_of
from buck_env import ACTIONS_VERSION, ENVIRONMENT, RULES_VERSION, BuckError, Rules, RulesError, load_rules
from buck_env.game.rules import PROFILES
from buck_env.observation.views import Views

__all__ = ["ProtocolError", "serve"]

_LONGEST_LINE = 2**20
_STAMPS = {
    "protocol": PROTOCOL,
    "environment": ENVIRONMENT,
    "rules_version": RULES_VERSION,
    "actions_version": ACTIONS_VERSION,
}


class ProtocolError(BuckError):
    """A line that is none of the protocol."""


def serve(name: str, rules: Rules | None, requests: BinaryIO, answers: BinaryIO) -> None:
    """Answer for an agent until the requests end.

    The rules are those of the first line, or those given where it names none. What cannot be answered is told in its
    answer's place, as ``{"id": …, "error": …}``. ProtocolError or AgentError where there is no beginning.
    """
    agent = load_agent(name, rules) if rules else None
    batches = _batches(requests)
    first, *more = next(batches, [b""])
    rules = _greeted(first, rules)
    agent = agent or load_agent(name, rules)
    _write(answers, [{"protocol": PROTOCOL, "agent": name}])
    _answer(agent, rules, more, answers)
    for lines in batches:
        _answer(agent, rules, lines, answers)


def _batches(requests: BinaryIO) -> Iterator[list[bytes]]:
    """The lines, as many at a time as have come."""
    held = b""
    while data := requests.read1(2**16):  # type: ignore[attr-defined]  # which every buffered reader has
        *lines, held = (held + data).split(b"\n")
        if max(map(len, (*lines, held))) > _LONGEST_LINE:
            raise ProtocolError(
                f"a line of more than {_LONGEST_LINE} bytes; each is one JSON object, as README.md tells"
            )
        if lines:
            yield lines
    if held:
        yield [held]


def _greeted(line: bytes, rules: Rules | None) -> Rules:
    """The rules of the game, once the first line has been found to be of this protocol and these versions."""
    told = _parsed(line, "the first line")
    for key, ours in _STAMPS.items():
        if told.get(key, None if key == "protocol" else ours) != ours:
            raise ProtocolError(f"the first line: {key} is {told.get(key)!r}, where {ours!r} is spoken")
    source = told.get("rules")
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
    told: list[dict[str, Any]] = []
    asked: list[dict[str, Any]] = []
    views: list[Views] = []
    for line in lines:
        answer: dict[str, Any] = {"id": None}
        told.append(answer)
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
    _write(answers, told)


def _parsed(line: bytes, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"{where}: not one JSON object: {error}") from None
    if not isinstance(value, dict):
        raise ProtocolError(f"{where}: not a JSON object")
    return value


def _write(answers: BinaryIO, told: list[dict[str, Any]]) -> None:
    answers.write("".join(json.dumps(answer, separators=(",", ":")) + "\n" for answer in told).encode())
    answers.flush()
