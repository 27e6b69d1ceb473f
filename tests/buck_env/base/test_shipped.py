"""The configurations that ship with the project are found by their names."""

from __future__ import annotations

import pytest
from places import ROOT

from buck_env.base.shipped import shipped_configs


@pytest.mark.parametrize("kind", ["rules", "train", "ppo", "sweep", "tournaments"])
def test_every_file_of_a_kind_has_its_name(kind: str) -> None:
    assert shipped_configs(kind) == {path.stem: path for path in sorted((ROOT / "configs" / kind).glob("*.yaml"))}


def test_there_is_nothing_of_an_unknown_kind() -> None:
    assert shipped_configs("nothing") == {}
