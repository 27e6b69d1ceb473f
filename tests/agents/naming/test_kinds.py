"""The table of kinds: README's table is it, and importing it costs nothing."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from places import ROOT

import agents
from agents import AgentError, load_agent
from agents.naming.kinds import KINDS, NICKNAME, Kind, markdown_table


def test_the_table_of_the_readme_is_the_table_of_kinds() -> None:
    assert f"\n{markdown_table()}\n" in (ROOT / "agents" / "README.md").read_text()


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.form)
def test_an_example_is_of_its_kind(kind: Kind) -> None:
    assert next(other for other in KINDS if other.fits(kind.example)) is kind


def test_only_programs_and_classes_run_code() -> None:
    assert [kind.form for kind in KINDS if kind.runs_code] == ["cmd:COMMAND", "module:Class"]


def test_an_error_gives_every_form() -> None:
    with pytest.raises(AgentError) as error:
        load_agent("nobody", "ohio")
    assert str(error.value).endswith(f"allowed: {', '.join(kind.form for kind in KINDS)}")


@pytest.mark.parametrize("name", ["a.yaml:b", "configs/x.yml:b", "a b.yaml:c,d"])
def test_a_yaml_file_is_no_module(name: str) -> None:
    assert next(kind for kind in KINDS if kind.fits(name)) is NICKNAME


@pytest.mark.parametrize("module", ["agents", "agents.naming.kinds"])
def test_the_table_is_read_without_the_libraries_that_agents_need(module: str) -> None:
    code = f"import sys, {module}; print(*sys.modules)"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment
    ).stdout.split()
    assert not {"numba", "numpy", "torch", "onnxruntime", "pydantic"} & set(loaded)


def test_every_public_name_of_the_package_is_there() -> None:
    for name in agents.__all__:
        assert getattr(agents, name).__name__ == name
    assert not hasattr(agents, "load")
