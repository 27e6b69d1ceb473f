"""The settings that every run has."""

from __future__ import annotations

import pytest

from training.learning.run.config import NetworkRunConfig, RunConfig


def test_the_agents_of_a_run_are_its_references() -> None:
    assert RunConfig(references=["random", "pretrained:ohio"]).agents == ["random", "pretrained:ohio"]


def test_rules_that_there_are_not_are_refused_and_a_house_rule_is_not() -> None:
    RunConfig(rules={"base": "ohio", "target": -5})
    with pytest.raises(ValueError, match="ohoi"):
        RunConfig(rules="ohoi")


@pytest.mark.parametrize(
    ("key", "value"),
    [("decisions", 0), ("minutes", 0.0), ("evaluate", -1), ("evaluate_deals", 1), ("seed", -1), ("checkpoint", -1)],
)
def test_a_number_out_of_its_range_is_refused_by_its_key(key: str, value: object) -> None:
    with pytest.raises(ValueError, match=key):
        RunConfig(**{key: value})  # type: ignore[arg-type]


def test_a_run_of_a_network_has_the_settings_of_every_run_first() -> None:
    names = list(NetworkRunConfig.__dataclass_fields__)
    assert names[: len(RunConfig.__dataclass_fields__)] == list(RunConfig.__dataclass_fields__)
    assert list(NetworkRunConfig.sections) == [*RunConfig.sections, "initial"]
