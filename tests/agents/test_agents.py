"""Agents: what they choose is legal, the same in any batch, blind to what is hidden, and good enough."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import numpy as np
import pytest

from agents import Agent, AgentError, load_agent
from agents.rules_v1.player import RulesV1
from buck_env.base.errors import BuckError
from buck_env.environments.tables import Tables
from buck_env.game.cards import cards_in, mask_of
from buck_env.game.house import load_rules
from buck_env.game.rules import PROFILES, Rules
from buck_env.game.table import PHASES, Phase
from buck_env.observation.views import Views
from training.measuring.arena import play_hands
from training.measuring.measures import deal_seeds, edge

HOUSES = [
    *({"base": profile} for profile in PROFILES),
    {"base": "ohio", "illegal_play": "renege"},
    {"base": "cutthroat", "illegal_play": "renege", "exchange": "every"},
    {"base": "cutthroat", "exchange": "none", "forced_stay": 14},
    {"base": "ohio", "discard": "after_stay", "stay_from": "dealer"},
    {"base": "ohio", "seats": 3, "no_trump": True, "walkover": "nothing", "lead": "maker"},
    {"base": "ohio", "maker_needs": 0, "stayer_needs": 0, "drop_points": -2},
    {"base": "dirty-clubs", "bid_circuits": "many", "bid_min": 1, "bid_max": 8, "all_pass": "no_trump"},
    {"base": "bucked", "hands": 3, "pick_up": True, "forced_clubs": True, "maker_needs": 5},
    {"base": "stick-the-dealer", "seats": 3, "no_trump": False, "stayer_needs": 2},
]
FLOORS = {"ohio": 1.9, "stick-the-dealer": 2.65, "dirty-clubs": 2.2, "bucked": 1.5, "bucked-3": 1.05, "cutthroat": 3.85}
"""What the lower end of the interval of edge(rules-v1, random) must reach."""


class Wild:
    """Any permitted action, reneges included: it needs the open tables, so it is no agent."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.default_rng(seed)

    def choose(self, permitted: np.ndarray) -> np.ndarray:
        allowed = permitted[:, None] >> np.arange(43) & 1
        return np.asarray((allowed * self.generator.random(allowed.shape)).argmax(1))


def moments(rules: Rules, agent: Agent, n: int = 300, seed: int = 0) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Every (tables, logs, masks) at which decisions fall in matches where the agent and chance take turns."""
    tables = Tables(rules, n, episode="match", max_hands=5)
    tables.reset(seed)
    wild = Wild(seed)
    found = []
    while (live := np.flatnonzero(tables.episodes["over"] == 0)).size:
        found.append((tables.tables[live].copy(), tables.logs[live].copy(), tables.masks[live].copy()))
        chosen = wild.choose(tables.permitted)
        chosen[live] = np.where(
            wild.generator.random(live.size) < 0.6, agent.act(Views.of(rules, *found[-1][:2])), chosen[live]
        )
        tables.step(chosen)
    return found


def resample(table: np.ndarray, seen: np.ndarray, generator: np.random.Generator) -> np.ndarray:
    """A table with the cards its view does not show exchanged for one another."""
    known = int(seen["hand"].sum()) | int(seen["laid"].sum())
    shown = [*seen["rest"], *seen["discards"], *(play & 31 for play in seen["plays"][: seen["played"]])]
    known |= mask_of(int(card) for card in shown if card >= 0)
    hidden = [card for card in range(24) if not known >> card & 1]
    swap = dict(zip(hidden, generator.permutation(hidden).tolist(), strict=True))
    other = table.copy()
    for field in ("hand", "laid"):
        other[field] = [mask_of(swap.get(card, card) for card in cards_in(mask)) for mask in table[field]]
    for field in ("rest", "discards"):
        other[field] = [swap.get(int(card), int(card)) for card in table[field]]
    return other


@pytest.mark.parametrize("house", HOUSES, ids=lambda house: load_rules(house).name)
@pytest.mark.parametrize("name", ["random", "rules-v1"])
def test_every_action_is_legal_in_every_house(name: str, house: dict[str, object]) -> None:
    rules = load_rules(house)
    agent = load_agent(name, rules)
    phases = set()
    for tables, logs, masks in moments(rules, agent):
        actions = agent.act(Views.of(rules, tables, logs))
        assert actions.shape == (len(tables),)
        assert actions.dtype.kind == "i"
        assert masks[np.arange(len(tables)), actions].all()
        phases |= set(tables["phase"].tolist())
    assert int(Phase.PLAY) in phases
    assert len(phases) > 1


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", ["random", "rules-v1"])
def test_actions_do_not_depend_on_the_batch_or_on_what_was_asked_before(name: str, profile: str) -> None:
    rules = load_rules(profile)
    agent = load_agent(name, rules)
    for tables, logs, _ in moments(rules, agent, n=60)[::3]:
        together = agent.act(Views.of(rules, tables, logs))
        order = np.random.default_rng(len(tables)).permutation(len(tables))
        apart = np.empty_like(together)
        fresh = load_agent(name, rules)
        for part in np.array_split(order, 7):
            if part.size:
                apart[part] = fresh.act(Views.of(rules, tables[part], logs[part]))
        assert np.array_equal(together, apart)


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
        told = {
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
        assert told == seen
        found += len(told)
        tables.restore(moment)
        chosen = random.act(Views.of(rules, tables.tables, tables.logs))
        tables.step(np.where(tables.episodes["over"] == 0, chosen, -1))
    assert found > 500


@pytest.mark.parametrize("profile", PROFILES)
def test_playouts_tell_how_rules_v1_plays_on_after_each_action(profile: str) -> None:
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


def test_random_draws_evenly() -> None:
    rules = load_rules("cutthroat")
    agent = load_agent("random", rules)
    tables = Tables({"base": "cutthroat", "exchange": "none"}, 20_000)
    tables.reset(5)
    actions = agent.act(Views.of(rules, tables.tables, tables.logs))
    counts = np.bincount(actions, minlength=43)[tables.masks[0] == 1]
    assert counts.sum() == 20_000
    assert counts.size == 9
    expected = 20_000 / counts.size
    assert ((counts - expected) ** 2 / expected).sum() < 26.1  # chi-square, 8 degrees of freedom, p = 0.001


def test_a_class_of_a_module_sits_down(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_bots.py").write_text(
        "class Lowest:\n"
        "    def __init__(self, rules): self.rules = rules\n"
        "    def act(self, views): return views.action_mask.argmax(1)\n"
        "class Mute:\n"
        "    def __init__(self, rules): pass\n"
        "class Vague:\n"
        "    phases = None\n"
        "    def __init__(self, rules): pass\n"
        "    def act(self, views): return views.action_mask.argmax(1)\n"
        "class Broken:\n"
        "    def __init__(self, rules): raise RuntimeError('no\\nluck')\n"
        "number = 1\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    rules = load_rules("bucked")
    try:
        lowest = load_agent("my_bots:Lowest", rules)
        assert isinstance(lowest, Agent)
        for tables, logs, masks in moments(rules, lowest, n=10):
            assert masks[np.arange(len(tables)), lowest.act(Views.of(rules, tables, logs))].all()
        for name, told in (
            ("my_bots:Mute", "class Mute has no method act"),
            ("my_bots:Vague", "phases is None; allowed: a tuple of exchange, order"),
            ("my_bots:Broken", "Broken(rules) failed (RuntimeError: no luck)"),
            ("my_bots:number", "has no class number"),
            ("my_bots:Absent", "has no class Absent"),
            ("no_such_module:X", "cannot be imported: ModuleNotFoundError"),
        ):
            with pytest.raises(AgentError) as caught:
                load_agent(name, rules)
            assert told in str(caught.value)
            assert name in str(caught.value)
            assert "\n" not in str(caught.value)
    finally:
        sys.modules.pop("my_bots", None)


FROZEN = {
    "ohio": "ce593b40fad04d71",
    "stick-the-dealer": "0b7a5a10bfb84ec0",
    "dirty-clubs": "7cd3475414e7a3a9",
    "bucked": "24036c285980d8d6",
    "bucked-3": "f217e4cefd68f55a",
    "cutthroat": "60d57be304044c71",
}
"""A digest of what rules-v1 does in 200 matches of each profile."""


@pytest.mark.parametrize("name", ["rules-v2", "", "ppo", "a b:C", "os.system('x'):y", None, ":X"])
def test_an_unknown_name_is_told_what_is_allowed(name: str) -> None:
    with pytest.raises(
        AgentError,
        match=r"allowed: random, rules-v1, pretrained:NAME, ppo:FOLDER, .*, module:Class",
    ):
        load_agent(name, load_rules("ohio"))
    assert issubclass(AgentError, BuckError)


def test_a_bot_without_a_path_is_refused() -> None:
    with pytest.raises(AgentError, match="ppo:FOLDER"):
        load_agent("ppo:", load_rules("ohio"))


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
