"""The wheel holds all that `buck` needs, outside the repository."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest
from places import ROOT

BUCK = ("-m", "training.cli.app")


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
    assert not {"tests", "node_modules"} & {part for name in names for part in name.split("/")}
    for path in (ROOT / "configs").rglob("*.yaml"):
        assert f"buck_env/configs/{path.relative_to(ROOT / 'configs')}" in names
    data = [
        path.relative_to(ROOT)
        for package in ("buck_env", "agents", "training")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc"
    ]
    assert not {str(path) for path in data} - set(names)


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment in which the wheel is installed, with the libraries of this one."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    venv.create(folder, with_pip=False, system_site_packages=False, symlinks=True)
    site = next(folder.glob("lib/*/site-packages"))
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(site)]
    subprocess.run([*install, str(wheel)], check=True)
    here = Path(next(path for path in sys.path if path.endswith("site-packages")))
    (site / "borrowed.pth").write_text(f"{here}\n")  # the libraries; the project itself comes first, from the wheel
    return folder / "bin" / "python"


def environment() -> dict[str, str]:
    """Without the repository, and without the kernels, which would be compiled anew in another folder."""
    kept = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    return {**kept, "NUMBA_DISABLE_JIT": "1"}


def run(python: Path, folder: Path, *arguments: str) -> str:
    command = [str(python), *arguments]
    process = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    return process.stdout


def test_the_wheel_installed_outside_the_repository_runs_buck_and_finds_its_data(python: Path, tmp_path: Path) -> None:
    place = run(python, tmp_path, "-c", "import training; print(training.__file__)")
    assert place.startswith(str(python.parent.parent / "lib"))
    assert "bucked-15" in run(python, tmp_path, *BUCK, "rules")
    assert "target: 15" in run(python, tmp_path, *BUCK, "rules", "bucked-15")
    assert "stick-the-dealer" in run(python, tmp_path, *BUCK, "train", "--help")  # the shipped configurations
    event = ("agents=[pretrained:ohio, rules-v1]", "deals=2", "matches=0", "out=event")
    run(python, tmp_path, *BUCK, "tournament", "ohio", *event)
    assert list((tmp_path / "event").glob("*.html"))  # from a template


def test_the_wheel_writes_the_table_for_a_browser(python: Path, tmp_path: Path) -> None:
    code = "from pathlib import Path; from training.web.site import write_site; write_site(Path('site'), bots=[])"
    run(python, tmp_path, "-c", code)  # `buck site` would play hands with every bot, which takes long uncompiled
    there = {path.relative_to(tmp_path / "site").as_posix() for path in (tmp_path / "site").rglob("*")}
    assert there >= {"index.html", "index.js", "site.json", "table/index.html", "table/main.js", "worker.js"}


def test_the_wheel_serves_the_table_and_answers_programs(python: Path, tmp_path: Path) -> None:
    pytest.importorskip("fastapi", reason="NOT CHECKED: FastAPI is not installed (pip install 'buck-euchre-rl[web]')")
    command = [str(python), *BUCK, "serve", "--port", "0", "--bots", "rules-v1", "--rules", "bucked-15"]
    with subprocess.Popen(command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, text=True) as service:
        try:
            assert service.stdout
            found = re.search(r"http://\S+?:\d+", service.stdout.readline())
            assert found
            for path, part in (("/healthz", ""), ("/bots", "rules-v1"), ("/table/index.html", "<main")):
                with urllib.request.urlopen(found[0] + path, timeout=60) as answer:
                    assert part in answer.read().decode()
        finally:
            service.terminate()
    assert service.returncode == 0
