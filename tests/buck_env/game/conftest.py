"""Fixtures of the tests of the game."""

from __future__ import annotations

import pytest
import worked


@pytest.fixture(params=worked.ENGINES)
def both_engines(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal worked hands to the model engine, then to the engine."""
    monkeypatch.setattr(worked, "chosen", [request.param])


@pytest.fixture
def the_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal worked hands to the engine alone."""
    monkeypatch.setattr(worked, "chosen", ["engine"])
