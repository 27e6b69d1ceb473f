"""Packages whose names are loaded when they are first used."""

from __future__ import annotations

from importlib import import_module

import pytest


@pytest.mark.parametrize("package", ["buck_env", "agents"])
def test_every_public_name_is_listed_and_found(package: str) -> None:
    module = import_module(package)
    assert set(module.__all__) <= set(dir(module))
    assert all(getattr(module, name) is not None for name in module.__all__)


@pytest.mark.parametrize("package", ["buck_env", "agents"])
def test_a_name_that_does_not_exist_is_an_attribute_error(package: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{package}' has no attribute 'load_agnet'"):
        _ = import_module(package).load_agnet
