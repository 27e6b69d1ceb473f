"""A bot of random weights and its bundle, for all tests of export; a copy may be changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from bots import untrained
from bundles import quietly

from buck_env import load_rules


@pytest.fixture(scope="module")
def bot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return untrained(tmp_path_factory.mktemp("bot"), load_rules("ohio"))


@pytest.fixture(scope="module")
def bundle(bot: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return quietly(bot, tmp_path_factory.mktemp("bundle"))


@pytest.fixture
def copy(bundle: Path, tmp_path: Path) -> Path:
    for path in bundle.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path
