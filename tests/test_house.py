"""The house itself: imports point down, and importing the game loads neither torch nor a compiler."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FLOORS = ["buck_env", "agents", "training"]


def imported(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add(node.module or "")
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name.split(".")[0] for name in names} | {name for name in names if name.startswith(tuple(FLOORS))}


@pytest.mark.parametrize("floor", FLOORS)
def test_imports_point_down(floor: str) -> None:
    above = set(FLOORS[FLOORS.index(floor) + 1 :])
    for path in (ROOT / floor).rglob("*.py"):
        assert not imported(path) & above, path


def test_the_game_itself_knows_no_adapter_library_and_no_torch() -> None:
    adapters = {"aec.py", "vector.py", "seat.py", "spaces.py", "registration.py", "__init__.py"}
    for path in (ROOT / "buck_env").glob("*.py"):
        assert not imported(path) & {"torch", "onnxruntime"}, path
        if path.name not in adapters:
            assert not imported(path) & {"gymnasium", "pettingzoo"}, path


def test_the_rules_know_nothing_of_observations() -> None:
    order = [
        *(
            "errors",
            "cards",
            "actions",
            "table",
            "rules",
            "bits",
            "scoring",
            "engine",
            "hidden",
            "layout",
            "observation",
        ),
        *("views", "agent", "records", "seat_view", "stepping", "tables", "solo", "spaces", "aec", "vector", "seat"),
    ]
    for i, name in enumerate(order):
        above = {f"buck_env.{later}" for later in order[i + 1 :]}
        assert not imported(ROOT / "buck_env" / f"{name}.py") & above, name


def modules_after(code: str, **environment: str) -> set[str]:
    code = f"{code}\nimport sys\nprint(' '.join(sys.modules))"
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    return set(run.stdout.splitlines()[-1].split())


def test_importing_the_game_loads_neither_torch_nor_numba() -> None:
    assert not modules_after("import buck_env") & {"torch", "numba", "llvmlite", "matplotlib", "PIL"}


@pytest.mark.parametrize("arguments", [["--help"], ["rules", "ohio"], ["train", "--help"], ["ppo", "--help"]])
def test_quick_commands_load_no_torch(arguments: list[str]) -> None:
    code = f"from training.cli import main\ntry:\n    main({arguments!r})\nexcept SystemExit:\n    pass"
    assert not modules_after(code) & {"torch", "numba"}


def test_self_play_needs_no_stable_baselines() -> None:
    code = "from training import self_play, cli, play, tournament, bench"
    assert not modules_after(code) & {"stable_baselines3", "sb3_contrib"}


def test_verify_and_play_load_no_torch() -> None:
    record = ROOT / "tests" / "data" / "conformance" / "ohio.jsonl"
    assert "torch" not in modules_after(f"from training.cli import main\nmain(['verify', {str(record)!r}])")
    code = (
        "import sys, io; from training.cli import main; sys.stdin = io.StringIO('quit'); main(['play', '--seed', '1'])"
    )
    assert "torch" not in modules_after(code)


def test_engine_and_rule_player_run_uncompiled() -> None:
    code = (
        "import warnings; warnings.simplefilter('error')\n"
        "from buck_env import buck_euchre_v0\n"
        "from buck_env.records import read_records, verify\n"
        "import itertools\n"
        "assert verify(itertools.islice(read_records('tests/data/conformance/cutthroat.jsonl'), 5)) == 5\n"
        "assert verify(itertools.islice(read_records('tests/data/conformance/ohio.jsonl'), 5)) == 5\n"
        "env = buck_euchre_v0.vector_env(3, rules='ohio', episode='match', canonical=True)\n"
        "env.reset(seed=3)\n"
        "for _ in range(40): env.step(env.sample())\n"
        "print(env.rewards.shape, env.record(0)['hands'])\n"
        "from agents import load_agent\n"
        "from buck_env.views import Views\n"
        "from buck_env.tables import Tables\n"
        "for rules in ('ohio', 'cutthroat'):\n"
        "    tables = Tables(rules, 1)\n"
        "    tables.reset(3)\n"
        "    player = load_agent('rules-v1', tables.rules)\n"
        "    while (tables.episodes['over'] == 0).all():\n"
        "        tables.restore(tables.save())\n"
        "        tables.step(player.act(Views.of(tables.rules, tables.tables, tables.logs)))\n"
        "    print(tables.record(0, finished=True))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    assert run.returncode == 0, run.stderr
    compiled = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert run.stdout == compiled.stdout
