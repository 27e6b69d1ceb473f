"""How fast the environments are: blocks, their medians, and the file of figures."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from clocks import Clock

from buck_env import PROFILES, __version__
from training.bench import speed


def test_the_first_block_warms_up_and_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "time", Clock())
    numbers = iter(range(100))
    blocks = speed._blocks(lambda: (next(numbers), 1.0, 0.0), 3.0)
    assert [number for number, _, _ in blocks] == [1, 2, 3]


@pytest.mark.parametrize("settings", [{}, {"last": True, "copy": True}, {"canonical": True}])
def test_stepping_and_choosing_have_rates(settings: dict[str, bool]) -> None:
    assert all(math.isfinite(rate) and rate > 0 for rate in speed._vector("bucked-3", 4096, 0.0, **settings))


def test_a_table_takes_less_than_a_kilobyte_besides_its_observation() -> None:
    assert 0 < speed._bytes_a_table() < 1024


def test_every_figure_is_a_number_and_written_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "_bare", lambda *_: 4.0)
    monkeypatch.setattr(speed, "_vector", lambda *_, **__: (2.0, 3.0))
    monkeypatch.setattr(speed, "_single", lambda _: 1.0)
    monkeypatch.setattr(speed, "_first_environment", lambda: 0.5)
    out = tmp_path / "new" / "figures.json"
    speed.bench(0.0, out)
    figures = json.loads(out.read_text())
    assert figures["version"] == __version__
    assert {f"{what}, {name}" for what in ("bare playouts", "step") for name in PROFILES} < set(figures)
    assert (figures["bare playouts, ohio"], figures["step, ohio"], figures["one table, last and step"]) == (4, 2, 1)
    assert figures["seconds to the first environment, cached"] == 0.5
