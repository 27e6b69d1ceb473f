"""What programs that play are allowed."""

from __future__ import annotations

from typing import Any

import pytest

from agents.programs.settings import CommandSettings


@pytest.mark.parametrize(
    ("name", "value"), [("on_fault", "shrug"), ("timeout", 0.0), ("timeout", 1e6), ("start_timeout", -1.0)]
)
def test_a_setting_that_makes_no_sense_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match=name):
        CommandSettings(**{name: value})


def test_settings_are_equal_by_value() -> None:
    assert CommandSettings(timeout=2.0) == CommandSettings(timeout=2.0) != CommandSettings()
