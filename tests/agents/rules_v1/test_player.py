"""rules-v1 is good enough, frozen, blind to what is hidden, and knows how its own hands end."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from moments import HOUSES, moments, resample

from agents import Agent, load_agent
from agents.rules_v1.player import RulesV1
from buck_env.environments.tables import Tables
from buck_env.game.house import load_rules
from buck_env.game.options import PHASES
from buck_env.game.rules import PROFILES
from buck_env.observation.views import Views
from training.measuring.arena import play_hands
from training.measuring.compare import edge
from training.measuring.duplicate import deal_seeds

FLOORS = {"ohio": 1.9, "stick-the-dealer": 2.65, "dirty-clubs": 2.2, "bucked": 1.5, "bucked-3": 1.05, "cutthroat": 3.85}
"""What the lower end of the interval of edge(rules-v1, random) must reach."""


@pytest.mark.parametrize("profile", PROFILES)
def test_rules_v1_beats_random_by_its_floor(profile: str) -> None:
    rules = load_rules(profile)
    estimate = edge(rules, load_agent("rules-v1", rules), load_agent("random", rules), deals=2000, seed=20)
    assert estimate.low > FLOORS[profile]


@pytest.mark.parametrize("profile", PROFILES)
def test_rules_v1_keeps_its_points_among_its_like(profile: str) -> None:
    rules = load_rules(profile)
    agent = load_agent("rules-v1", rules)
    mean = play_hands(rules, {"it": agent}, np.zeros((2000, rules.seats), np.int64), deal_seeds(21, 2000)).mean()
    assert mean > (-1.5 if profile == "stick-the-dealer" else 0.0)


FROZEN = {
    "ohio": "ce593b40fad04d71",
    "stick-the-dealer": "0b7a5a10bfb84ec0",
    "dirty-clubs": "7cd3475414e7a3a9",
    "bucked": "24036c285980d8d6",
    "bucked-3": "f217e4cefd68f55a",
    "cutthroat": "60d57be304044c71",
}
"""A digest of what rules-v1 does in 200 matches of each profile."""


@pytest.mark.parametrize(("rules", "digest"), FROZEN.items())
def test_rules_v1_is_frozen(rules: str, digest: str) -> None:
    """A yardstick does not move: whoever improves it makes a rules-v2 in files of its own."""
    tables = Tables(rules, 200, episode="match", max_hands=8)
    tables.reset(7)
    agent = load_agent("rules-v1", tables.rules)
    taken = hashlib.sha256()
    while (tables.episodes["over"] == 0).any():
        actions = agent.act(Views.of(tables.rules, tables.tables, tables.logs))
        going = tables.episodes["over"] == 0
        taken.update(actions[going].astype(np.int8).tobytes())
        tables.step(actions)
    assert taken.hexdigest()[:16] == digest


@pytest.mark.parametrize("house", [*HOUSES[:6], HOUSES[7], HOUSES[9]], ids=lambda house: load_rules(house).name)
def test_what_is_hidden_does_not_change_an_action(house: dict[str, object]) -> None:
    rules = load_rules(house)
    agent = load_agent("rules-v1", rules)
    generator = np.random.default_rng(3)
    changed = 0
    for tables, logs, _ in moments(rules, agent, n=12)[::2]:
        views = Views.of(rules, tables, logs)
        others = tables.copy()
        for i in range(len(tables)):
            others[i] = resample(tables[i], views.tables[i], generator)
        again = Views.of(rules, others, logs)
        assert again.tables.tobytes() == views.tables.tobytes()
        changed += int((others["hand"] != tables["hand"]).sum())
        assert np.array_equal(agent.act(views), agent.act(again))
    assert changed > 100


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
