"""Rules by a name that is none: one clear error."""

from __future__ import annotations

import pytest

from buck_env import Rules, RulesError, load_rules


@pytest.mark.parametrize("name", ["x" * 300, "\0.yaml", "euchre"])
def test_rules_of_no_name_are_named(name: str) -> None:
    with pytest.raises(RulesError):
        load_rules(name)


def test_a_base_that_is_no_profile_is_refused() -> None:
    with pytest.raises(ValueError, match="base"):
        Rules(base="euchre")
