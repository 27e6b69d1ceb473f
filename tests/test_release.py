"""`make release`: what it tries, and that it finds nothing to try with only where there is nothing."""

from __future__ import annotations

import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from places import ROOT

SCRIPT = ROOT / ".ci" / "release.py"


def release() -> dict[str, Any]:
    """The names of the script, which is not a module."""
    return runpy.run_path(str(SCRIPT), run_name="release")


def test_every_extra_for_users_is_installed_in_every_python_that_the_project_names() -> None:
    names = release()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert set(project["optional-dependencies"]) - set(names["extras"]()) == {"dev", "docs"}
    named = [line.rpartition(" :: ")[2] for line in project["classifiers"] if "Python :: 3." in line]
    assert [f"python{version}" for version in named] == list(names["PYTHONS"])


def test_a_python_that_does_not_start_is_not_found(tmp_path: Path) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\nexit 3\n")
    broken.chmod(0o755)
    is_found = release()["is_found"]
    assert [is_found(str(python)) for python in (sys.executable, broken, tmp_path / "none")] == [True, False, False]


def test_wheel_and_sdist_are_built_and_without_a_python_to_try_them_the_release_fails(tmp_path: Path) -> None:
    script = [sys.executable, str(SCRIPT), str(tmp_path / "dist"), "--python", "python0.0"]
    done = subprocess.run(script, capture_output=True, text=True)
    assert done.returncode == 1
    assert "python0.0: NOT TRIED" in done.stdout
    assert sorted(path.suffix for path in (tmp_path / "dist").iterdir()) == [".gz", ".whl"]


def test_a_folder_with_other_files_is_left_as_it_is(tmp_path: Path) -> None:
    mine = tmp_path / "notes.txt"
    mine.write_text("mine")
    done = subprocess.run([sys.executable, str(SCRIPT), str(tmp_path)], capture_output=True, text=True)
    assert done.returncode
    assert "holds other files than packages" in done.stderr
    assert mine.read_text() == "mine"
