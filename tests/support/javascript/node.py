"""Node, for the tests of the JavaScript package: a script, what it reads as JSON, and what it prints as JSON."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

PACKAGE = ROOT / "agents" / "js"
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="the JavaScript package is run by node: not installed")


def run_node(folder: Path, script: str, given: Any) -> Any:
    """What a script makes of a value: it finds the package as `buck` and the value as `given`, and calls `answer`."""
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
    (folder / "script.mjs").write_text(
        "import { readFileSync, writeFileSync } from 'node:fs';\n"
        f"import * as buck from {json.dumps((PACKAGE / 'index.js').as_uri())};\n"
        f"const given = JSON.parse(readFileSync({json.dumps(str(folder / 'given.json'))}, 'utf8'));\n"
        f"const answer = (value) => writeFileSync({json.dumps(str(folder / 'answer.json'))}, JSON.stringify(value));\n"
        f"{script}\n",
        encoding="utf-8",
    )
    run = subprocess.run(["node", str(folder / "script.mjs")], capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stderr[-4000:]
    return json.loads((folder / "answer.json").read_text(encoding="utf-8"))
