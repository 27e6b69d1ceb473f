"""Lines between a game and a program."""

from __future__ import annotations

import json

import pytest

from agents.programs.protocol import STAMPS, ProtocolError, format_line, hello, parse_line, ready
from buck_env import load_rules


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
