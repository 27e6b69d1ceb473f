"""Matches played to their end from each action of a decision."""

from __future__ import annotations

import numpy as np
from moments import last_choices

from agents import Agent, load_agent
from buck_env import load_rules
from buck_env.observation.views import Views
from training.analysis.matches import look_at_matches, match_player

RULES = load_rules("bucked")


class Own:
    """An agent that compiled code cannot ask."""

    def act(self, views: Views) -> np.ndarray:
        return views.action_mask.argmax(axis=1)


def looked(views: Views, agent: Agent, name: str) -> np.ndarray:
    _, player = match_player(name, agent, RULES)
    return look_at_matches(views, 6, player, load_agent("rules-v1", RULES), seed=0, stream=0).points


def test_a_match_is_won_for_certain_one_point_from_the_end_with_all_others_far_away() -> None:
    views = last_choices(RULES, load_agent("rules-v1", RULES), trick=3, number=3)
    rows = np.arange(3)
    tables = views.tables.take(rows)
    tables["scores"][:, : RULES.seats] = RULES.target + RULES.toward * -1000
    tables["scores"][rows, views.seats] = RULES.target - RULES.toward
    legal = views.action_mask != 0
    for agent, name in ((load_agent("rules-v1", RULES), "rules-v1"), (load_agent("random", RULES), "random")):
        shares = looked(Views(RULES, tables, views.seats, views.uniforms), agent, name)
        assert (shares[np.repeat(legal[:, None], 6, axis=1)] == 1).all()
        assert (shares[np.repeat(~legal[:, None], 6, axis=1)] == 0).all()


def test_an_agent_that_compiled_code_cannot_ask_leaves_the_matches_to_the_rule_player() -> None:
    assert match_player("own", Own(), RULES)[0] == "rules-v1"
    assert match_player("random", load_agent("random", RULES), RULES)[0] == "random"
