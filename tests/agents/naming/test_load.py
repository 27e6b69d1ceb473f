"""Names that load an agent, and names that are refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from bots import untrained

from agents import AgentError, load_agent
from agents.naming.composite import Composite
from buck_env import BuckError, load_rules


@pytest.mark.parametrize("name", ["rules-v2", "", "ppo", "a b:C", "os.system('x'):y", None, ":X"])
def test_an_error_for_an_unknown_name_says_what_is_allowed(name: str) -> None:
    with pytest.raises(
        AgentError,
        match=r"allowed: random, rules-v1, pretrained:NAME, pretrained, ppo:FOLDER, .*, module:Class",
    ):
        load_agent(name, load_rules("ohio"))
    assert issubclass(AgentError, BuckError)


def test_a_bot_without_a_path_is_refused() -> None:
    with pytest.raises(AgentError, match="ppo:FOLDER"):
        load_agent("ppo:", load_rules("ohio"))


@pytest.fixture(scope="module")
def stayer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bot that has learned only whether to stay."""
    return untrained(tmp_path_factory.mktemp("bots") / "stayer", load_rules("dirty-clubs"), phases=["stay"])


def test_a_part_alone_is_refused_and_the_error_completes_it(stayer: Path) -> None:
    with pytest.raises(AgentError, match=r"has not learned bid, name, play; as in phases:stay=ppo:.*,else=rules-v1"):
        load_agent(f"ppo:{stayer}", load_rules("dirty-clubs"))


def test_a_file_gives_agents_short_names(stayer: Path, tmp_path: Path) -> None:
    names = tmp_path / "mine.yaml"
    names.write_text(f"drop: ppo:{stayer}\nwhole: phases:stay=drop,else=base\nbase: rules-v1\na: b\nb: a\nbad: 3\n")
    rules = load_rules("dirty-clubs")
    assert isinstance(load_agent(f"{names}:whole", rules), Composite)
    for name, said in (
        ("none", "'none' names no agent; allowed: drop, whole"),
        ("a", "a is named by itself: a → b → a"),
        ("bad", "'bad' names no agent"),
        ("drop", "has not learned"),
    ):
        with pytest.raises(AgentError, match=said):
            load_agent(f"{names}:{name}", rules)
    with pytest.raises(AgentError, match="cannot be read"):
        load_agent(f"{tmp_path / 'nothing.yaml'}:x", rules)


def test_an_error_for_an_unknown_pretrained_bot_names_those_there_are() -> None:
    with pytest.raises(BuckError, match=r"pretrained:nobody: no such bot; allowed: "):
        load_agent("pretrained:nobody", load_rules("ohio"))
