"""How fast the service answers: the paces of clients, and the file of figures."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

pytest.importorskip("fastapi", reason="NOT CHECKED: FastAPI is not installed (pip install 'buck-euchre-rl[web]')")

from buck_env import BuckError, __version__
from training.bench import serve
from training.cli.app import main


def test_figures_are_numbers_and_written_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # for the service, which would compile to analyse
    monkeypatch.setattr(serve, "BOT", "random")
    monkeypatch.setattr(serve, "CLIENTS", 3)
    monkeypatch.setattr(serve, "HANDS", 5)
    monkeypatch.setattr(serve, "TOGETHER", 4)
    monkeypatch.setattr(serve, "PROMPT", math.inf)
    out = tmp_path / "new" / "figures.json"
    assert main(["bench", "serve", "--rules", "ohio", "--seconds", "1", "--json", str(out)]) == 0
    figures = json.loads(out.read_text())
    assert (figures.pop("version"), figures.pop("rules")) == (__version__, "ohio")
    assert figures.pop("cores") >= 1
    assert len(figures) == 5
    assert all(math.isfinite(figure) and figure > 0 for figure in figures.values())


def test_a_service_that_cannot_start_is_an_error() -> None:
    with pytest.raises(BuckError, match="it has ended"), serve.serving(["--bots", "nobody"]):
        pass
