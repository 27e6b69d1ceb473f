"""Agent strings as trees."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import AgentError, runs_code
from agents.naming.parse import parse


@pytest.fixture
def names(tmp_path: Path) -> Path:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "stay: rules-v1\n"
        "whole: phases:stay=stay,else=outer\n"
        "outer: phases:play=program,else=random\n"
        "program: cmd:node bot.js\n"
        "again: again\n"
    )
    return file


def test_parts_are_names_with_phases() -> None:
    tree = parse("phases:bid+name=ppo:runs/a@sampled,else=random")
    assert [(part.phases, part.agent.text) for part in tree.parts] == [
        (("bid", "name"), "ppo:runs/a@sampled"),
        (("else",), "random"),
    ]
    assert tree.parts[0].agent.argument == "runs/a@sampled"
    assert not tree.parts[0].agent.parts


def test_nicknames_are_followed_and_a_phase_is_no_nickname(names: Path) -> None:
    tree = parse(f"{names}:whole")
    ((_, composite),) = tree.parts
    assert tree.text == f"{names}:whole"
    assert composite.text == f"phases:stay={names}:stay,else={names}:outer"
    assert parse(composite.text) == composite
    assert [part.agent.parts[0].agent.kind.form for part in composite.parts] == ["rules-v1", "phases:LIST"]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("random", False),
        ("ppo:runs/a", False),
        ("pretrained:ohio", False),
        ("onnx:a", False),
        ("cmd:node bot.js", True),
        ("my_bots:Lowest", True),
        ("phases:stay=ppo:runs/a,else=random", False),
        ("phases:stay=ppo:runs/a,else=cmd:true", True),
        ("phases:stay=my_bots:Lowest,else=random", True),
    ],
)
def test_programs_and_classes_run_code_wherever_they_are_named(name: str, code: bool) -> None:
    assert runs_code(name) == code


def test_nicknames_of_programs_run_code(names: Path) -> None:
    found = {name: runs_code(f"{names}:{name}") for name in ("stay", "whole", "outer", "program")}
    assert found == {"stay": False, "whole": True, "outer": True, "program": True}
    with pytest.raises(AgentError, match="named by itself"):
        runs_code(f"{names}:again")


def test_what_cannot_be_printed_is_refused_also_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text('it: "ppo:a\\nb"\n')
    for name in ("ppo:a\nb", f"{file}:it", f"phases:stay={file}:it,else=random"):
        with pytest.raises(AgentError, match="cannot be printed"):
            parse(name)
