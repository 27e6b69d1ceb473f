"""The wheel holds all that `buck` needs, outside the repository."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest
from places import ROOT


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(folder)]
    subprocess.run([*build, str(ROOT)], check=True)
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_the_packages_and_their_data_and_no_tests(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"buck_env", "agents", "training"}
    for path in (ROOT / "configs").rglob("*.yaml"):
        assert f"buck_env/configs/{path.relative_to(ROOT / 'configs')}" in names
    data = [
        path.relative_to(ROOT)
        for package in ("buck_env", "agents", "training")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    ]
    assert not {str(path) for path in data} - set(names)


def test_the_wheel_installed_outside_the_repository_runs_buck_and_finds_its_data(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=False, system_site_packages=False, symlinks=True)
    site = next((tmp_path / "venv").glob("lib/*/site-packages"))
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*install, str(wheel)], check=True)
    here = Path(next(path for path in sys.path if path.endswith("site-packages")))
    (site / "borrowed.pth").write_text(f"{here}\n")  # the libraries; the project itself comes first, from the wheel
    python = str(tmp_path / "venv" / "bin" / "python")
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    environment["NUMBA_DISABLE_JIT"] = "1"  # the kernels of another folder would be compiled anew

    def run(*arguments: str) -> str:
        command = [python, *arguments]
        process = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
        assert process.returncode == 0, process.stderr
        return process.stdout

    buck = ("-m", "training.cli.app")
    assert run("-c", "import training; print(training.__file__)").startswith(str(site))
    assert "bucked-15" in run(*buck, "rules")
    assert "target: 15" in run(*buck, "rules", "bucked-15")
    assert "stick-the-dealer" in run(*buck, "train", "--help")  # the shipped configurations
    run(*buck, "tournament", "ohio", "agents=[pretrained:ohio, rules-v1]", "deals=2", "matches=0", "out=event")
    assert list((tmp_path / "event").glob("*.html"))  # from a template
