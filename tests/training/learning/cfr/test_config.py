"""Where regret minimisation has something to learn."""

from __future__ import annotations

import pytest

from buck_env.game.rules import PROFILES
from training.base.config import ConfigError, load_config
from training.learning.cfr.config import CfrConfig


def test_rules_in_which_nothing_is_learned_are_refused() -> None:
    with pytest.raises(
        ConfigError, match="where cfr has nothing to learn, is not allowed; allowed: rules with a decision of order"
    ):
        load_config(CfrConfig, None, ["rules=stick-the-dealer"])


@pytest.mark.parametrize("name", [name for name in PROFILES if name != "stick-the-dealer"])
def test_every_other_profile_has_something_to_learn(name: str) -> None:
    assert CfrConfig(rules=name).learner == "cfr"
