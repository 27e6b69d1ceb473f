"""Build the wheel and the sdist, and try each in empty environments of every Python that is found.

    python .ci/release.py dist --python python3.11 python3.12 python3.13

In each environment the package is installed with every extra, and `buck rules`, an episode, a tournament of 50 deals,
an export and a site run there, outside the repository. The exit status is 1 where one of them fails, or no Python is
found.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("python3.11", "python3.12", "python3.13")
OUR_OWN = {"dev", "docs"}
"""The extras with what only this repository needs."""
EPISODE = """
from buck_env import buck_euchre_v0

env = buck_euchre_v0.env(rules="ohio", episode="hand")
env.reset(seed=42)
for agent in env.agent_iter():
    observation, reward, terminated, truncated, info = env.last()
    done = terminated or truncated
    env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))
"""
BUCK = ("-m", "training.cli.app")
TRIALS = {
    "buck rules": (*BUCK, "rules"),
    "an episode": ("-c", EPISODE),
    "a tournament": (*BUCK, "tournament", "demo", "agents=[pretrained:ohio, rules-v1]", "deals=50", "matches=0"),
    "an export": (*BUCK, "export", "pretrained:ohio", "--out", "bundle"),
    "the bundle": (*BUCK, "check", "bundle"),
    "a site": (*BUCK, "site", "--out", "site"),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the folder for the wheel and the sdist, which is made anew")
    parser.add_argument("--python", nargs="+", default=PYTHONS, help="the interpreters to try")
    parser.add_argument("--index", help="the URL of a package index, besides the usual one")
    given = parser.parse_args()
    packages = build(given.folder)
    found = [python for python in given.python if is_found(python)]
    for python in found:
        for package in packages:
            with tempfile.TemporaryDirectory() as folder:
                attempt(python, package, Path(folder), given.index)
    for python in given.python:
        if python not in found:
            print(f"{python}: NOT TRIED, it is not found")
    if not found:
        sys.exit("release: there is no Python to try the packages with")
    print(f"release: {' and '.join(str(package) for package in packages)} work with {', '.join(found)}")


def build(folder: Path) -> list[Path]:
    """The sdist and the wheel, in a folder that holds nothing else; those of an earlier release are replaced."""
    earlier = list(folder.iterdir()) if folder.is_dir() else []
    if any(not path.name.endswith((".whl", ".tar.gz")) for path in earlier):
        sys.exit(f"release: {folder} holds other files than packages; name another folder")
    for path in earlier:
        path.unlink()
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-d", str(folder.resolve())], cwd=ROOT, check=True)
    return sorted(path.resolve() for path in folder.iterdir())


def is_found(python: str) -> bool:
    """Whether an interpreter starts."""
    return bool(shutil.which(python)) and not subprocess.run([python, "-V"], capture_output=True).returncode


def attempt(python: str, package: Path, folder: Path, index: str | None) -> None:
    """Install a package in an environment of its own in a folder, and run everything there."""
    print(f"{python}: {package.name}", flush=True)
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}

    def run(*command: str) -> None:
        subprocess.run(command, cwd=folder, env=clean, check=True, stdout=subprocess.DEVNULL)

    run(python, "-m", "venv", "env")
    inside = str(folder / "env" / "bin" / "python")
    indexes = ("--extra-index-url", index) if index else ()
    limits = ("-c", str(ROOT / "constraints.txt"))
    run(inside, "-m", "pip", "install", "--quiet", *indexes, *limits, f"{package}[{','.join(extras())}]")
    for name, arguments in TRIALS.items():
        print(f"{python}: {package.name}: {name}", flush=True)
        run(inside, *arguments)


def extras() -> Sequence[str]:
    """The extras that users may ask for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [extra for extra in project["optional-dependencies"] if extra not in OUR_OWN]


if __name__ == "__main__":
    try:
        main()
    except subprocess.CalledProcessError as error:
        sys.exit(f"release: this failed with {error.returncode}: {' '.join(map(str, error.cmd))}")
