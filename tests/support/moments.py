"""Decisions to ask agents about, in houses of every kind."""

from __future__ import annotations

import numpy as np

from agents import Agent
from buck_env.environments.asking import ask, views_at
from buck_env.environments.tables import Tables
from buck_env.game.cards import cards_in, mask_of
from buck_env.game.options import Phase
from buck_env.game.rules import PROFILES, Rules
from buck_env.observation.views import Views
from buck_env.records import HandRecord

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


class Wild:
    """Any permitted action, reneges included: it needs the open tables, so it is no agent."""

    def __init__(self, seed: int) -> None:
        self.generator = np.random.default_rng(seed)

    def choose(self, permitted: np.ndarray) -> np.ndarray:
        allowed = permitted[:, None] >> np.arange(43) & 1
        return np.asarray((allowed * self.generator.random(allowed.shape)).argmax(1))


def moments(
    rules: Rules, agent: Agent, n: int = 300, seed: int = 0, share: float = 0.6
) -> list[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Every (tables, logs, masks) at which decisions fall in matches where the agent has a share of them, chance the
    rest."""
    tables = Tables(rules, n, episode="match", max_hands=5)
    tables.reset(seed)
    wild = Wild(seed)
    found = []
    while (live := np.flatnonzero(tables.episodes["over"] == 0)).size:
        found.append((tables.tables[live].copy(), tables.logs[live].copy(), tables.masks[live].copy()))
        chosen = wild.choose(tables.permitted)
        chosen[live] = np.where(
            wild.generator.random(live.size) < share, agent.act(Views.of(rules, *found[-1][:2])), chosen[live]
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


def last_choices(rules: Rules, player: Agent, *, trick: int, number: int, seed: int = 0) -> Views:
    """So many decisions with two legal cards in one trick, from 0, of hands that an agent plays."""
    tables = Tables(rules, 50 * number)
    tables.reset(seed)
    parts = []
    while (rows := np.flatnonzero(tables.episodes["over"] == 0)).size:
        views = views_at(tables, rows)
        late = (views.tables["phase"] == Phase.PLAY) & (views.tables["trick"] == trick)
        parts.append(views.take(np.flatnonzero(late & (views.action_mask.sum(axis=1) > 1))))
        actions = np.full(tables.num_tables, -1, np.int64)
        actions[rows] = ask("player", player, views, tables.permitted[rows])
        tables.step_some(actions, tables.episodes["over"] == 0)
    found = Views.join(parts)
    assert len(found) >= number
    return found.take(np.random.default_rng(seed).permutation(len(found))[:number])


def played_hands(rules: Rules, player: Agent, number: int, seed: int = 0) -> list[HandRecord]:
    """Records of hands that an agent plays at every seat."""
    tables = Tables(rules, number)
    tables.reset(seed)
    while (open_ := tables.episodes["over"] == 0).any():
        rows = np.flatnonzero(open_)
        actions = np.full(number, -1, np.int64)
        actions[rows] = ask("player", player, views_at(tables, rows), tables.permitted[rows])
        tables.step_some(actions, open_)
    return [tables.record(row, finished=True) for row in range(number)]
