"""Short names of one's own, in a YAML file."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents import AgentError
from agents.naming.nicknames import Nicknames


def test_a_name_stands_for_an_agent(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("best: pretrained:ohio\nbroken: 3\n")
    names = Nicknames(str(file))
    assert "best" in names
    assert "worst" not in names
    assert names["best"] == "pretrained:ohio"
    for name in ("worst", "broken"):
        with pytest.raises(AgentError, match=rf"mine\.yaml: '{name}' names no agent; allowed: best, broken"):
            names[name]


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match=r"agent: .*nothing\.yaml"):
        Nicknames(str(tmp_path / "nothing.yaml"))
