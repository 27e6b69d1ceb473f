"""The options of the rules: a member is its text, and its value is its number in the compiled rules."""

from __future__ import annotations

import ast
import pickle
from dataclasses import fields, replace
from typing import get_type_hints

import pytest
from places import ROOT
from pydantic import ValidationError

from buck_env import PROFILES, Rules, load_rules
from buck_env.game.options import IllegalPlay, Making, Option, Tie

OPTIONS = {name for name, hint in get_type_hints(Rules).items() if isinstance(hint, type) and issubclass(hint, Option)}


def test_a_member_is_its_text_and_has_a_number() -> None:
    assert list(Making) == ["order", "bid", "dealer"]
    assert [making.value for making in Making] == [0, 1, 2]
    assert f"{Making.BID}, {Making.BID!r}" == "bid, 'bid'"


@pytest.mark.parametrize("base", PROFILES)
def test_the_compiled_rules_hold_the_numbers(base: str) -> None:
    rules = PROFILES[base]
    for name in OPTIONS:
        assert rules.packed()[name][0] == getattr(rules, name).value


def test_rules_take_a_member_or_its_text_and_hold_the_member() -> None:
    for tie in ("play_on", Tie.PLAY_ON):
        assert replace(PROFILES["bucked"], tie=tie).tie is Tie.PLAY_ON
    assert load_rules({"base": "bucked", "tie": "play_on"}).tie is Tie.PLAY_ON
    assert pickle.loads(pickle.dumps(PROFILES["bucked"])).making is Making.ORDER


@pytest.mark.parametrize("tie", ["Share", "PLAY_ON", "", 0, None, Making.BID])
def test_rules_take_nothing_else(tie: object) -> None:
    with pytest.raises(ValidationError):
        replace(PROFILES["bucked"], tie=tie)


def test_files_get_texts_alone() -> None:
    rules = load_rules({"base": "ohio", "illegal_play": IllegalPlay.RENEGE})
    assert {type(value) for value in rules.as_dict().values()} <= {str, int, bool, type(None)}
    assert rules.as_record() == {"base": "ohio", "illegal_play": "renege"}
    assert type(rules.differences()["illegal_play"]) is str


def test_code_compares_options_with_members_never_with_texts() -> None:
    # mypy refuses a member that does not exist, or of another option; a misspelt text it would let pass.
    assert {field.name for field in fields(Rules)} >= OPTIONS
    for package in ("buck_env", "agents", "training"):
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Compare):
                    sides = [node.left, *node.comparators]
                    read = {side.attr for side in sides if isinstance(side, ast.Attribute)}
                    texts = [side.value for side in sides if isinstance(side, ast.Constant)]
                    assert not (read & OPTIONS and any(isinstance(text, str) for text in texts)), (path, node.lineno)
