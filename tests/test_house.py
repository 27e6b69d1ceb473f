"""The house itself: imports point down, and importing the game loads neither torch nor a compiler."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest
from places import ROOT

FLOORS = [
    ["buck_env.base"],
    ["buck_env.game"],
    ["buck_env.observation"],
    ["buck_env.records"],
    ["buck_env.drawing"],
    ["buck_env.environments"],
    ["buck_env.openspiel"],
    ["buck_env"],
    ["agents.bots", "agents.rules_v1", "agents.programs", "agents.pretrained", "agents.beliefs"],
    ["agents.compiled"],
    ["agents.cfr", "agents.search"],
    ["agents.naming"],
    ["agents"],
    ["training.base"],
    ["training.measuring"],
    ["training.learning.run"],
    ["training.learning", "training.tournament", "training.export", "training.analysis"],
    ["training.learning.cfr", "training.learning.gradient", "training.learning.sb3", "training.tournament.report"],
    ["training.web"],
    ["training.bench", "training.leaderboard", "training.pictures", "training.sweep", "training.dataset"],
    ["training.cli"],
    ["training"],
]
"""The rooms, floor by floor from the ground up. A room imports from its own files and from the floors below it."""
LEVEL = {room: level for level, rooms in enumerate(FLOORS) for room in rooms}
PACKAGES = ("buck_env", "agents", "training")
MOST_FILES = 20


def module_of(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


SOURCES = {
    module_of(path): path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))
    if "examples" not in path.parts
}  # fmt: skip


def room_of(module: str) -> str:
    is_package = SOURCES[module].name == "__init__.py"
    return module if is_package else module.rpartition(".")[0]


def imported(path: Path) -> set[str]:
    """Every module that a file imports, at the top, inside a function or for types alone."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            modules = {name for name in whole if name in SOURCES}
            names |= modules or {node.module or ""}
    return names


ARROWS = {module: imported(path) & set(SOURCES) for module, path in SOURCES.items()}


def test_imports_point_down() -> None:
    up = [
        f"{module} -> {other}"
        for module, others in ARROWS.items()
        for other in sorted(others)
        if room_of(module) != room_of(other) and LEVEL[room_of(other)] >= LEVEL[room_of(module)]
    ]
    assert not up


def test_no_file_imports_itself_in_a_circle() -> None:
    open_arrows = {module: set(others) for module, others in ARROWS.items()}
    while leaves := [module for module, others in open_arrows.items() if not others]:
        for module in leaves:
            del open_arrows[module]
        for others in open_arrows.values():
            others.difference_update(leaves)
    assert not open_arrows


def folders() -> list[Path]:
    """Every folder of the packages and of the tests, at any depth, other than what Python and tools leave there."""
    tops = [ROOT / name for name in (*PACKAGES, "tests")]
    found = tops + [path for top in tops for path in top.rglob("*") if path.is_dir()]
    return [path for path in found if not any(part.startswith((".", "__")) for part in path.relative_to(ROOT).parts)]


def test_no_folder_is_a_drawer() -> None:
    files = {str(folder.relative_to(ROOT)): sum(path.is_file() for path in folder.iterdir()) for folder in folders()}
    assert {folder: count for folder, count in files.items() if count > MOST_FILES} == {}


WHOLE_SUBJECTS = {
    "agents/js/table/test_firefox.py",
    "agents/programs/test_program_at_tables.py",
    "buck_env/environments/test_pettingzoo.py",
    "training/cli/test_bad_input.py",
    "training/export/test_command.py",
    "training/export/test_models.py",
    "training/learning/run/test_resumed.py",
    "training/learning/sb3/test_bots.py",
    "training/learning/sb3/test_checkpoint.py",
    "training/learning/sb3/test_forced_decisions.py",
    "training/learning/sb3/test_masks.py",
    "training/learning/test_toy_games.py",
    "training/tournament/test_browser.py",
}
"""Tests of what several modules do together."""


def test_every_test_file_is_named_after_the_module_or_the_folder_that_it_tests() -> None:
    tests = ROOT / "tests"
    strangers = set()
    for path in (path for package in PACKAGES for path in (tests / package).rglob("test_*.py")):
        place = path.relative_to(tests)
        tested = ROOT / place.parent / place.stem.removeprefix("test_")
        if not (tested.with_suffix(".py").is_file() or tested.is_dir() or tested.name == place.parent.name):
            strangers.add(place.as_posix())
    assert strangers <= WHOLE_SUBJECTS


def test_the_game_itself_knows_no_adapter_library_and_no_torch() -> None:
    adapters = {"aec", "vector", "seat", "settings", "spaces", "rendering", "registration"}
    for module, path in SOURCES.items():
        if module.startswith("buck_env"):
            libraries = {name.split(".")[0] for name in imported(path)}
            assert not libraries & {"torch", "onnxruntime"}, module
            if module.rpartition(".")[2] not in adapters:
                assert not libraries & {"gymnasium", "pettingzoo"}, module


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
    assert not modules_after("import buck_env") & {
        "torch",
        "numba",
        "llvmlite",
        "matplotlib",
        "PIL",
        "numpy",
        "pydantic",
    }


@pytest.mark.parametrize(
    "arguments", [["--help"], ["rules", "ohio"], ["train", "--help"], ["ppo", "--help"], ["tournament", "--help"]]
)
def test_quick_commands_load_no_slow_libraries(arguments: list[str]) -> None:
    code = f"from training.cli.app import main\nmain({arguments!r})"
    slow = {"torch", "numba", "numpy", "gymnasium", "pettingzoo", "pyarrow", "matplotlib", "scipy", "PIL"}
    assert not modules_after(code) & slow


def test_self_play_needs_no_stable_baselines() -> None:
    code = "import training.bench.learn, training.cli.app, training.learning.self_play, training.tournament.event"
    assert not modules_after(code) & {"stable_baselines3", "sb3_contrib"}


def test_verify_and_play_load_no_torch() -> None:
    record = ROOT / "tests" / "data" / "conformance" / "ohio.jsonl"
    assert "torch" not in modules_after(f"from training.cli.app import main\nmain(['verify', {str(record)!r}])")
    code = "import io, sys; from training.cli.app import main; sys.stdin = io.StringIO('quit'); main(['play'])"
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
        "from buck_env.observation.views import Views\n"
        "from buck_env.environments.tables import Tables\n"
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
