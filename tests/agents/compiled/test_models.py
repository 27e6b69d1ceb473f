"""Networks as models of the others, in compiled code."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from bots import untrained
from moments import moments

from agents import load_agent
from agents.compiled.models import CompiledModel, as_model
from buck_env import load_rules
from buck_env.observation.agent import probabilities_of
from buck_env.observation.views import Views


@pytest.mark.parametrize("canonical", [True, False])
def test_a_network_compiled_is_as_likely_to_act(canonical: bool, tmp_path: Path) -> None:
    rules = load_rules("ohio")
    agent = load_agent(f"ppo:{untrained(tmp_path / 'bot', rules, canonical=canonical)}", rules)
    model = as_model(agent)
    assert isinstance(model, CompiledModel)
    for tables, logs, _ in moments(rules, load_agent("rules-v1", rules), n=6)[::3]:
        views = Views.of(rules, tables, logs)
        assert np.allclose(probabilities_of(model, views), probabilities_of(agent, views), atol=1e-5)


def test_who_is_no_network_is_asked_as_it_is() -> None:
    agent = load_agent("rules-v1", "ohio")
    assert as_model(agent) is agent
