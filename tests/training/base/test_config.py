"""What is wrong with a configuration is one sentence: where, which setting, which value, and what is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Literal

import pytest
from pydantic import ConfigDict, Field, field_validator, model_validator
from pydantic.dataclasses import dataclass as checked

from buck_env import load_rules
from buck_env.base.allowed import InWords
from buck_env.base.errors import SettingError
from training.base.config import ConfigError, find_config, load_config


@checked(config=ConfigDict(extra="forbid", strict=True, use_attribute_docstrings=True))
class Every:
    """A setting of every kind."""

    sections: ClassVar[dict[str, str]] = {}

    switch: bool = False
    whole: Annotated[int, Field(ge=1, le=9)] = 5
    number: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    text: Annotated[str, Field(pattern="^a+$"), InWords("some letters a")] = "a"
    way: Literal["up", "down"] = "up"
    rounds: Annotated[int, Field(ge=0)] | Literal["all"] = 1
    widths: list[Annotated[int, Field(ge=1)]] = Field(default_factory=lambda: [3])
    names: Annotated[dict[str, str], InWords("a mapping of labels to names")] = Field(default_factory=dict)
    folder: Path = Path("runs")
    rules: str = "ohio"

    @field_validator("rules")
    @classmethod
    def _exist(cls, value: str) -> str:
        load_rules(value)
        return value

    @model_validator(mode="after")
    def _possible(self) -> Every:
        if self.switch and self.whole < 5:
            raise SettingError("whole", str(self.whole), "at least 5 where switch is true")
        return self


@pytest.mark.parametrize(
    ("override", "said"),
    [
        ("switch=1", "switch: 1 is not allowed; allowed: true or false"),
        ("switch=null", "switch: null is not allowed; allowed: true or false"),
        ("whole=x", "whole: 'x' is not allowed; allowed: a whole number from 1 to 9"),
        ("whole=10", "whole: 10 is not allowed; allowed: a whole number from 1 to 9"),
        ("whole=2.5", "whole: 2.5 is not allowed; allowed: a whole number from 1 to 9"),
        ("whole=true", "whole: true is not allowed; allowed: a whole number from 1 to 9"),
        ("number=fast", "number: 'fast' is not allowed; allowed: a number above 0, or null"),
        ("number=.nan", "number: nan is not allowed; allowed: a number above 0, or null"),
        ("text=b", "text: 'b' is not allowed; allowed: some letters a"),
        ("text=3", "text: 3 is not allowed; allowed: some letters a"),
        ("way=left", "way: 'left' is not allowed; allowed: up or down"),
        ("rounds=some", "rounds: 'some' is not allowed; allowed: a whole number of at least 0, or all"),
        ("rounds=-1", "rounds: -1 is not allowed; allowed: a whole number of at least 0, or all"),
        ("widths=3", "widths: 3 is not allowed; allowed: a list of whole numbers of at least 1"),
        (
            "widths=a",
            "widths: 'a' is not allowed; allowed: a list of whole numbers of at least 1, as in widths=[a]",
        ),
        ("widths=[3, 0]", "widths: 0 in [3, 0] is not allowed; allowed: a list of whole numbers of at least 1"),
        ("names=a", "names: 'a' is not allowed; allowed: a mapping of labels to names"),
        ("names={a: 3}", "names: 3 in {a: 3} is not allowed; allowed: a mapping of labels to names"),
        ("folder=3", "folder: 3 is not allowed; allowed: a folder"),
        ("rules=ohoi", "rules: 'ohoi' is not known; is ohio meant?; allowed: a profile (ohio, "),
        ("whale=3", "whale: 3 is set, but there is no such key; is whole meant?; allowed: switch, whole, "),
    ],
)
def test_a_setting_of_any_kind_is_refused_in_one_sentence(override: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(Every, None, [override])
    assert str(refused.value).startswith(f"override: {said}")
    assert ";" not in str(refused.value).removeprefix(f"override: {said}")


def test_a_setting_that_contradicts_another_is_named_with_its_own_place(tmp_path: Path) -> None:
    path = tmp_path / "every.yaml"
    path.write_text("whole: 3\n")
    with pytest.raises(ConfigError) as refused:
        load_config(Every, path, ["switch=true"])
    assert str(refused.value) == f"{path}: whole: 3 is not allowed; allowed: at least 5 where switch is true"


def test_each_of_several_faults_has_its_sentence(tmp_path: Path) -> None:
    path = tmp_path / "every.yaml"
    path.write_text("way: left\n")
    with pytest.raises(ConfigError) as refused:
        load_config(Every, path, ["number=x"])
    assert str(refused.value) == (
        "override: number: 'x' is not allowed; allowed: a number above 0, or null; "
        f"{path}: way: 'left' is not allowed; allowed: up or down"
    )


@pytest.mark.parametrize(("text", "found"), [("", "nothing"), ("- a\n", "[a]"), ("a\n", "'a'"), ("1: 2", "{1: 2}")])
def test_a_file_that_is_no_mapping_says_what_it_holds(text: str, found: str, tmp_path: Path) -> None:
    path = tmp_path / "every.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError) as refused:
        load_config(Every, path)
    assert str(refused.value) == f"{path}: holds {found}; allowed: a mapping, in lines of `key: value`"


def test_a_configuration_is_found_by_path_or_shipped_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert find_config("demo", "train").name == "demo.yaml"
    (tmp_path / "mine.yaml").touch()
    assert find_config("mine.yaml", "train") == Path("mine.yaml")
    with pytest.raises(ConfigError, match="dmeo: no such file, nor a shipped configuration; is demo meant"):
        find_config("dmeo", "train")
