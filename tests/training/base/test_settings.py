"""What help says of settings comes from their declarations."""

from __future__ import annotations

from dataclasses import fields
from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as checked

from training.base.settings import Setting, settings_of
from training.learning.run.config import RunConfig
from training.learning.sb3.config import PPOConfig
from training.learning.train_config import TrainConfig
from training.tournament.config import TournamentConfig


@checked(config=ConfigDict(use_attribute_docstrings=True))
class Parent:
    sections: ClassVar[dict[str, str]] = {"size": "Both"}

    size: Annotated[int, Field(ge=1, le=2000)] = 5
    """The
    size."""
    rate: Annotated[float, Field(gt=0, le=1)] | None = None
    """The rate."""


@checked(config=ConfigDict(use_attribute_docstrings=True))
class Child(Parent):
    sections: ClassVar[dict[str, str]] = {**Parent.sections, "way": "One"}

    size: int = 7
    way: Literal["up", "down", "across"] = "up"
    """The way."""
    layers: list[Annotated[int, Field(ge=1)]] = Field(default_factory=lambda: [3])
    """The layers."""


def test_a_setting_is_explained_from_its_declaration() -> None:
    assert [*settings_of(Parent).values()] == [
        Setting("size", "Both", "The size.", "a whole number from 1 to 2,000", "5"),
        Setting("rate", "Both", "The rate.", "a number above 0 and up to 1, or null", "null"),
    ]


def test_a_setting_declared_again_keeps_its_meaning() -> None:
    assert [*settings_of(Child).values()] == [
        Setting("size", "Both", "The size.", "a whole number", "7"),
        Setting("rate", "Both", "The rate.", "a number above 0 and up to 1, or null", "null"),
        Setting("way", "One", "The way.", "up, down or across", "up"),
        Setting("layers", "One", "The layers.", "a list of whole numbers of at least 1", "[3]"),
    ]


@pytest.mark.parametrize("kind", [RunConfig, TrainConfig, PPOConfig, TournamentConfig])
def test_every_setting_has_a_docstring_in_full_sentences(kind: type) -> None:
    settings = settings_of(kind).values()
    assert [setting.name for setting in settings] == [field.name for field in fields(kind)]
    for setting in settings:
        assert setting.section
        assert setting.meaning[0].isupper(), setting.name
        assert setting.meaning.endswith("."), setting.name
