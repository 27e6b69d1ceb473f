"""Gymnasium and PettingZoo make the environments by name, whichever is imported first."""

from __future__ import annotations

import pytest
from places import run_python

MAKE = """
import gymnasium, pettingzoo
gymnasium.make("BuckEuchre-v0", opponents="random").reset(seed=1)
assert "seat" in gymnasium.registry["BuckEuchre-v0"].entry_point
if hasattr(pettingzoo, "make"):
    pettingzoo.make("aec", "buck_euchre/BuckEuchre-v0").reset(seed=1)
"""


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


def test_the_name_with_its_module_is_found_in_a_process_that_has_not_imported_the_game() -> None:
    code = """
import gymnasium
gymnasium.make("buck_env:BuckEuchre-v0").reset(seed=1)
gymnasium.make_vec("buck_env:BuckEuchre-v0", 2).reset(seed=1)
"""
    run_python(code)
