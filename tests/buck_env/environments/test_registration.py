"""Gymnasium and PettingZoo make the environments by name, whichever is imported first."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from places import ROOT

MAKE = """
import gymnasium, pettingzoo
gymnasium.make("BuckEuchre-v0", opponents="random").reset(seed=1)
assert "seat" in gymnasium.registry["BuckEuchre-v0"].entry_point
if hasattr(pettingzoo, "make"):
    pettingzoo.make("aec", "buck_euchre/BuckEuchre-v0").reset(seed=1)
"""


def run_python(code: str) -> str:
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.mark.parametrize(
    "imports",
    [
        "import buck_env, gymnasium, pettingzoo",
        "import gymnasium, pettingzoo, buck_env",
        "import pettingzoo, buck_env, gymnasium",
        "from buck_env.game.house import load_rules\nimport gymnasium.spaces",
    ],
)
def test_the_libraries_make_the_environments_in_every_order_of_imports(imports: str) -> None:
    run_python(imports + MAKE)


def test_the_library_keeps_its_own_loader() -> None:
    code = "import buck_env, gymnasium; print(type(gymnasium.__loader__) is type(buck_env.__loader__))"
    assert run_python(code) == "True\n"


def test_importing_the_game_loads_neither_library() -> None:
    assert run_python("import buck_env, sys; print({'gymnasium', 'pettingzoo'} & set(sys.modules))") == "set()\n"
