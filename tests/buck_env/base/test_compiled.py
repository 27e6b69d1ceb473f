"""Kernels: interrupts while one is compiled, and the seconds that compiling takes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest
from places import ROOT

from buck_env.base.compiled import kernel


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_an_interrupt_waits_until_a_kernel_is_loaded(number: signal.Signals, monkeypatch: pytest.MonkeyPatch) -> None:
    double = kernel(twice)
    compile_it = type(double).compile

    def interrupted(dispatcher: Any, signature: Any) -> Any:
        signal.raise_signal(number)
        return compile_it(dispatcher, signature)

    monkeypatch.setattr(type(double), "compile", interrupted)
    before = signal.signal(number, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            double(2)
        assert double.signatures
        assert signal.getsignal(number) is signal.default_int_handler
        assert double(2) == 4
    finally:
        signal.signal(number, before)


def twice(x: int) -> int:
    return 2 * x


@pytest.mark.skipif(numba.config.DISABLE_JIT, reason="nothing is compiled")
def test_seconds_of_compiling_are_told_and_those_of_loading_are_not(tmp_path: Path) -> None:
    (tmp_path / "doubled.py").write_text(
        "from buck_env.base.compiled import compile_seconds, kernel\n\n@kernel\ndef twice(x):\n    return 2 * x\n\n"
        "assert compile_seconds() == 0\ntwice(2), twice(2)\nprint(compile_seconds() > 0)\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}
    for compiled in ("True\n", "False\n"):
        run = subprocess.run(
            [sys.executable, "doubled.py"], capture_output=True, text=True, check=True, cwd=tmp_path, env=environment
        )
        assert run.stdout == compiled
