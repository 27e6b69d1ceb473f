"""Where things lie in a checkout, and Python that is run there."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CONFORMANCE = ROOT / "tests" / "data" / "conformance"


def run_python(code: str) -> str:
    """What some code prints in a process of its own, where no kernel is compiled."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, env=environment)
    assert run.returncode == 0, run.stderr
    return run.stdout
