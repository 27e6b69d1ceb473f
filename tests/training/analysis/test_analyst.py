"""Who judges: where the truth can be counted out, the figures agree with it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from beliefs.fitting import fits
from moments import last_choices

from agents import AgentError, load_agent
from agents.compiled.models import CompiledModel
from buck_env import load_rules
from buck_env.observation.views import Views
from training.analysis.analyst import default_model, make_analyst

RULES = load_rules("bucked")


def test_values_are_those_of_every_deal_that_fits() -> None:
    analyst = replace(make_analyst(RULES, "rules-v1"), model=None)  # all deals that fit are as likely
    views = last_choices(RULES, load_agent("random", RULES), trick=3, number=200)
    counted = 0
    for row in np.flatnonzero(views.tables["dropped"] == 0):  # a dropped hand can be almost anything
        view = views.take(np.array([row]))
        found = fits(view.tables[0], int(view.seats[0]), RULES, 6000)
        if found is None:
            continue
        tables = view.tables.take(np.zeros(len(found), np.int64))
        tables["hand"][:, : RULES.seats] = [fit.hands for fit in found]
        truth = analyst.playouts.action_points(tables).mean(axis=0)
        judged = analyst.points(view, 1200)
        legal = view.action_mask[0] != 0
        assert (abs(judged.values[0] - truth)[legal] <= 4.5 * judged.errors[0, legal] + 1e-6).all()
        assert (judged.values[0][~legal] == 0).all()
        behind = truth[legal].max() - truth[legal]
        assert (abs(judged.behind[0, legal] - behind) <= 4.5 * judged.behind_errors[0, legal] + 1e-6).all()
        counted += 1
        if counted == 5:
            return
    raise AssertionError(f"only {counted} positions could be counted out")


def test_the_same_decision_gets_the_same_figures_however_batched() -> None:
    views = last_choices(RULES, load_agent("rules-v1", RULES), trick=2, number=3)
    analyst = make_analyst(RULES, "rules-v1")
    together, alone = analyst.points(views, 40), analyst.points(views.take(np.array([1])), 40)
    assert (together.values[1] == alone.values[0]).all()
    assert (together.behind[1] == alone.behind[0]).all()


def test_match_chances_are_shares_and_favour_who_leads() -> None:
    views = last_choices(RULES, load_agent("rules-v1", RULES), trick=3, number=4)
    ahead = views.tables.take(np.arange(4))
    ahead["scores"][np.arange(4), views.seats] = RULES.target - RULES.toward
    behind = views.tables.take(np.arange(4))
    behind["scores"][:] = RULES.target - RULES.toward
    behind["scores"][np.arange(4), views.seats] = RULES.start - 20 * RULES.toward
    analyst = make_analyst(RULES, "rules-v1")
    values = [
        analyst.match_chances(Views(RULES, tables, views.seats, views.uniforms), 60).values
        for tables in (ahead, behind)
    ]
    legal = views.action_mask != 0
    for value in values:
        assert ((value >= 0) & (value <= 1 + 1e-9)).all()  # weights are rounded
    assert values[0][legal].mean() > values[1][legal].mean() + 0.2


def test_the_model_is_the_pretrained_bot_of_the_rules_or_else_the_rule_player() -> None:
    assert default_model(load_rules("ohio")) == "pretrained:ohio"
    assert default_model(load_rules({"base": "ohio", "no_trump": True})) == "rules-v1"


def test_an_unknown_model_is_refused() -> None:
    with pytest.raises(AgentError):
        make_analyst(RULES, "nobody")


def test_a_network_is_asked_in_compiled_code() -> None:
    assert isinstance(make_analyst(load_rules("ohio")).model, CompiledModel)
