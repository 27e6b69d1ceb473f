"""Lines between a game and a program."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from moments import moments
from places import ROOT
from programs import Program

from agents import load_agent
from agents.programs.protocol import PROTOCOL, STAMPS, ProtocolError, format_line, hello, parse_line, ready
from buck_env import PROFILES, load_rules
from buck_env.observation.views import Views

FROZEN = ROOT / "tests" / "data" / "messages.json"
"""For each protocol and profile the number of the messages below, the sha256 of their lines, and the longest line."""


def test_a_message_is_one_line_and_is_read_back() -> None:
    message = {"text": "a\nb", "number": 1.5, "none": None}
    line = format_line(message)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    assert parse_line(line) == message


def test_a_game_says_its_versions_and_its_rules_in_full() -> None:
    rules = load_rules({"base": "ohio", "target": -5})
    first = parse_line(format_line(hello(rules)))
    assert {name: first[name] for name in STAMPS} == STAMPS
    assert load_rules(first["rules"]) == rules
    assert ready("mine") == {"protocol": STAMPS["protocol"], "agent": "mine"}


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b"", "not one JSON object"),
        (b"{} {}", "not one JSON object"),
        (b"\xff", "not one JSON object"),
        (b"[" * 100_000, "not one JSON object"),
        (b"[1]", "not a JSON object"),
        (json.dumps("text").encode(), "not a JSON object"),
    ],
)
def test_what_is_no_object_is_refused(line: bytes, fault: str) -> None:
    with pytest.raises(ProtocolError, match=fault):
        parse_line(line)


@pytest.mark.parametrize("profile", PROFILES)
def test_the_bytes_of_messages_stay_as_they_are_under_one_name_of_the_protocol(profile: str, program: Program) -> None:
    rules = load_rules(profile)
    agent = program.agent(rules, "well")
    for tables, logs, _ in moments(rules, load_agent("rules-v1", rules), n=3)[::2]:
        agent.act(Views.of(rules, tables, logs))
    agent.close()
    _, *lines = program.lines
    sent: dict[str, Any] = {
        "messages": len(lines),
        "sha256": hashlib.sha256(b"\n".join(lines)).hexdigest(),
        "longest": max(lines, key=len).decode(),
    }
    frozen = json.loads(FROZEN.read_text())
    assert sent == frozen.get(PROTOCOL, {}).get(profile), (
        f"programs that speak {PROTOCOL} would be sent other bytes. Undo that; or, where messages have to change, give "
        f"PROTOCOL the next version, and add to {FROZEN.name} under that name what this test finds in `sent`"
    )
