"""Playouts: how rules-v1 would play hands on to their ends."""

from __future__ import annotations

import numpy as np
import pytest

from agents import Agent, load_agent
from agents.rules_v1.player import RulesV1
from buck_env.environments.tables import Tables
from buck_env.game.house import load_rules
from buck_env.game.rules import PROFILES
from buck_env.game.table import PHASES
from buck_env.observation.views import Views


@pytest.mark.parametrize("profile", PROFILES)
def test_playouts_find_where_the_seat_chooses_next(profile: str) -> None:
    rules = load_rules(profile)
    player, random = RulesV1(rules), load_agent("random", rules)
    tables = Tables(rules, 50)
    tables.reset(5)
    until = [phase for phase in rules.phases if phase != "stay"]
    found = 0
    while (going := np.flatnonzero(tables.episodes["over"] == 0)).size:
        moment, seats, masks = tables.save(), tables.seats.copy(), tables.masks.copy()
        states = tables.tables.take(going)
        playouts = player.play_out(states, until=until)
        assert np.array_equal(playouts.each, player.play_out(states).each)
        found_by_playouts = {
            (going[row], action): table.tobytes()
            for (row, action), table in zip(playouts.origin.tolist(), playouts.later, strict=True)
        }
        seen = {}
        for nth in range(masks.sum(axis=1).max()):
            legal = [np.flatnonzero(mask) for mask in masks]
            actions = np.array([options[nth % len(options)] if len(options) else -1 for options in legal])
            tables.restore(moment)
            tables.step(actions)
            while (live := tables.episodes["over"] == 0).any():
                choices = live & (tables.seats == seats) & (tables.masks.sum(axis=1) > 1)
                for n in np.flatnonzero(choices & np.isin(tables.tables["phase"], [PHASES.index(p) for p in until])):
                    seen.setdefault((n, actions[n]), tables.tables[n].tobytes())
                tables.step(np.where(live, player.act(Views.of(rules, tables.tables, tables.logs)), -1))
        assert found_by_playouts == seen
        found += len(seen)
        tables.restore(moment)
        chosen = random.act(Views.of(rules, tables.tables, tables.logs))
        tables.step(np.where(tables.episodes["over"] == 0, chosen, -1))
    assert found > 500


@pytest.mark.parametrize("profile", PROFILES)
def test_playouts_end_as_rules_v1_plays_on_after_each_action(profile: str) -> None:
    rules = load_rules(profile)
    player, random = RulesV1(rules), load_agent("random", rules)
    tables = Tables(rules, 100)
    tables.reset(4)

    def chosen_by(agent: Agent) -> np.ndarray:
        actions = agent.act(Views.of(rules, tables.tables, tables.logs))
        return np.where(tables.episodes["over"] == 0, actions, -1)

    while (going := np.flatnonzero(tables.episodes["over"] == 0)).size:
        moment, seats = tables.save(), tables.seats[going]
        before = tables.tables.take(going)
        states = before.copy()
        each, own, *_ = player.play_out(states)
        assert states.tobytes() == before.tobytes()
        assert not each[tables.masks[going] == 0].any()
        alone, the_same, *_ = player.play_out(states, every=False)
        assert np.array_equal(the_same, own)
        assert np.count_nonzero(alone) == np.count_nonzero(own)
        choices = chosen_by(player), chosen_by(random)
        for actions in choices:
            tables.restore(moment)
            tables.step(actions)
            while (tables.episodes["over"] == 0).any():
                tables.step(chosen_by(player))
            scored = tables.tables["scores"][going, seats] - before["scores"][np.arange(len(going)), seats]
            assert np.array_equal(each[np.arange(len(going)), actions[going]], rules.toward * scored)
            if actions is choices[0]:
                assert np.array_equal(own, rules.toward * scored)
        tables.restore(moment)
        tables.step(choices[1])
