"""What results say so that they can be repeated."""

from __future__ import annotations

import json
import os

from agents import load_agent
from buck_env import RULES_VERSION, __version__, load_rules
from training.base.provenance import checksum_of, cores, play_alike, versions

RULES = load_rules("ohio")


def test_versions_are_those_of_the_package_and_can_be_written_as_json() -> None:
    found = versions()
    assert (found["package"], found["rules"]) == (__version__, RULES_VERSION)
    assert json.loads(json.dumps(found)) == found


def test_what_the_version_before_began_may_go_on_and_what_another_one_began_may_not() -> None:
    ours = versions()
    assert play_alike(ours)
    assert play_alike({**ours, "package": "0.1.0"})
    for other in ({**ours, "package": "0.0.9"}, {**ours, "rules": RULES_VERSION + 1}, {"package": "0.1.0"}, None):
        assert not play_alike(other)


def test_cores_are_those_that_this_process_may_use() -> None:
    assert 1 <= cores() <= (os.cpu_count() or 1)


def test_a_bot_has_a_checksum_and_an_agent_of_parts_has_one_for_each() -> None:
    bot = checksum_of(load_agent("pretrained:ohio", RULES))
    assert isinstance(bot, str)
    assert len(bot) == 64
    assert checksum_of(load_agent("rules-v1", RULES)) is None
    parts = checksum_of(load_agent("phases:stay=pretrained:ohio,else=rules-v1", RULES))
    assert isinstance(parts, dict)
    assert {phase: checksum for phase, checksum in parts.items() if checksum} == {"stay": bot}
    assert checksum_of(load_agent("phases:stay=random,else=rules-v1", RULES)) is None
