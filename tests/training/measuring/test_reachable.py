"""Positions that a bot can reach, and agents made whole."""

from __future__ import annotations

import numpy as np
from players import First

from agents import load_agent, phases_of
from buck_env import load_rules
from buck_env.game.options import PHASES
from training.measuring.reachable import reachable, whole

RULES = load_rules("dirty-clubs")


class Dropper(First):
    """Knows only to stay or drop."""

    phases = ("stay",)


def test_every_position_is_a_choice_of_a_learned_phase_and_its_log_leads_to_it() -> None:
    views, logs = reachable(RULES, Dropper(), tables=16, hands=2, seed=4)
    assert len(views) == len(logs) > 10
    assert {PHASES[phase] for phase in views.tables["phase"]} == {"stay"}
    assert (views.action_mask.sum(axis=1) > 1).all()
    assert (logs["dealer"] == views.tables["dealer"]).all()


def test_the_same_seed_reaches_the_same_positions_and_straying_reaches_others() -> None:
    one, same = (reachable(RULES, First(), tables=8, hands=1, seed=4)[0] for _ in range(2))
    strayed, _ = reachable(RULES, First(), tables=8, hands=1, seed=4, astray=0.5)
    assert (one.observation == same.observation).all()
    assert one.observation.shape != strayed.observation.shape or (one.observation != strayed.observation).any()


def test_a_whole_agent_stays_as_it_is_and_another_is_helped_out_by_rules_v1() -> None:
    first = First()
    assert whole(first, RULES) is first
    helped = whole(Dropper(), RULES)
    assert set(phases_of(helped, RULES)) == set(RULES.phases)
    views, _ = reachable(RULES, load_agent("rules-v1", RULES), tables=32, hands=1, seed=1)
    stays = views.tables["phase"] == PHASES.index("stay")
    assert stays.any()
    assert not stays.all()
    mine, rules_v1 = First().act(views), load_agent("rules-v1", RULES).act(views)
    assert (mine != rules_v1).any()
    assert (helped.act(views) == np.where(stays, mine, rules_v1)).all()
