"""The table in the browser as a folder for any file host: the JavaScript package, the page, and the pretrained bots."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

from agents.bots.bundle_files import BUNDLE_FILES, SAMPLES_FILE
from agents.bots.network import NetworkAgent, read_network
from agents.pretrained import pretrained_folder, pretrained_names
from buck_env.base.errors import BuckError
from buck_env.base.files import replace_file, write_json
from training.export.bundles import export
from training.export.levels import LEVELS, temperatures

__all__ = ["write_site"]

SITE_FILE: Final = "site.json"
"""What the page reads first: its bots, and whether a service answers beside it. It lists the files of the site, too."""
WORKER_FILE: Final = "worker.js"
"""What keeps the site for when there is no network; it stands at the top, so that it may keep everything."""

_LEFT_OUT: Final = {"node_modules", "examples", "tests", "node.js"}
"""Files of the package that a browser does not need."""
_SERVED: Final = (".js", ".json", ".css", ".html", ".svg")
_INDEX: Final = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=table/index.html">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Buck Euchre</title>
<link rel="icon" href="table/icon.svg" type="image/svg+xml">
</head>
<body><p><a href="table/index.html">Buck Euchre</a></p></body>
</html>
"""


def write_site(out: Path, *, bots: Sequence[str] | None = None, agents: Sequence[dict[str, str]] | None = None) -> int:
    """Write the site into a folder, and return the number of its files.

    Args:
        out: a folder that is new, empty, or holds an earlier site and nothing else. The site takes its place: what the
            earlier one wrote and this one does not is removed.
        bots: the names of the pretrained bots that can be seated; None for all.
        agents: the agents of the service that the site is for, each with `name` and `rules`, the name of the rules it
            plays; None for a site without one.

    BuckError where the folder holds something else.
    """
    package = dict(_package(files("agents") / "js"))
    names = list(pretrained_names() if bots is None else bots)
    listed = {*package, "index.html", SITE_FILE, WORKER_FILE}
    listed |= {f"bots/{name}/{file}" for name in names for file in BUNDLE_FILES}
    left = _left_by_an_earlier_site(out, listed)
    for path, content in package.items():
        _write(out / path, content)
    _write(out / "index.html", _INDEX.encode())
    written = [_write_bot(out, name) for name in names]
    says = {"bots": written, "service": agents is not None, "agents": list(agents or ()), "files": sorted(listed)}
    write_json(out / SITE_FILE, says)
    _write_worker(out, sorted(listed) if agents is None else ())
    for file in left:
        file.unlink()
        for folder in file.parents:
            if folder == out or any(folder.iterdir()):
                break
            folder.rmdir()
    return len(listed)


def _left_by_an_earlier_site(out: Path, listed: set[str]) -> list[Path]:
    """The files of an earlier site in a folder that this one does not list. BuckError where there are others."""
    there = {path.relative_to(out).as_posix(): path for path in sorted(out.rglob("*")) if not path.is_dir()}
    if not there:
        return []
    try:
        earlier = set(json.loads((out / SITE_FILE).read_text(encoding="utf-8"))["files"])
    except (OSError, ValueError, KeyError, TypeError):
        raise BuckError(f"{out}: holds other files than an earlier site; give --out a new folder") from None
    for path in there:
        if path not in earlier | listed:
            raise BuckError(f"{out}: holds {path}, which no earlier site wrote; move it, or give --out a new folder")
    return [file for path, file in there.items() if path not in listed]


def _package(folder: Traversable, above: str = "") -> list[tuple[str, bytes]]:
    """The files of the package that a browser asks for, each with its path."""
    found = []
    for entry in folder.iterdir():
        if entry.name in _LEFT_OUT:
            continue
        if entry.is_dir():
            found += _package(entry, f"{above}{entry.name}/")
        elif entry.name.endswith(_SERVED) and entry.name != WORKER_FILE:
            found.append((above + entry.name, entry.read_bytes()))
    return found


def _write_bot(out: Path, name: str) -> dict[str, Any]:
    """Write the bundle of a pretrained bot, and return what the page has to know of it."""
    folder = pretrained_folder(name)
    trained, weights = read_network(folder)
    agent = NetworkAgent(trained, weights)
    export(f"pretrained:{name}", out / "bots" / name, int8=True, deals=0, samples=1, say=lambda _: None)
    levels = {level: heat if LEVELS[level] else None for level, heat in temperatures(agent, agent.rules).items()}
    return {"name": name, "rules": agent.rules.name, "levels": levels}


def _write_worker(out: Path, listed: Iterable[str]) -> None:
    """Write the worker, which has to know the paths and the version of everything that it keeps.

    Beside a service nothing is kept: such a worker takes the place of one that an earlier site left at this address.
    """
    kept = [path for path in listed if path.rpartition("/")[2] not in (WORKER_FILE, SAMPLES_FILE, "package.json")]
    version = hashlib.sha256()
    for path in kept:
        version.update(path.encode() + b"\0" + hashlib.sha256((out / path).read_bytes()).digest())
    names = ["./", *kept] if kept else []
    stamps = f"const VERSION = {json.dumps(version.hexdigest()[:12])};\nconst FILES = {json.dumps(names, indent=0)};\n"
    body = (files("agents") / "js" / "table" / WORKER_FILE).read_text(encoding="utf-8")
    _write(out / WORKER_FILE, (stamps + body).encode())


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, content)
