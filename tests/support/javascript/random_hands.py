"""Hands in which every seat does anything permitted, as records, with what their seats knew at some of the steps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agents.programs.position import Position, position_of
from buck_env import Rules
from buck_env.environments.tables import Tables
from buck_env.game import engine
from buck_env.game.actions import action_text
from buck_env.game.cards import CARDS
from buck_env.game.hidden import hide
from buck_env.game.table import TABLE
from buck_env.observation.views import Views, pick_evenly
from buck_env.records import HandRecord, Step, deal_table, legal_texts, phase_text, result_of


def walk(rules: Rules, generator: np.random.Generator) -> Iterator[tuple[np.ndarray, list[Step], list[str], int]]:
    """One hand: its table (1,) before each decision and at its end, the steps so far, the pack, the hands played."""
    packed, hands_played = rules.packed()[0], int(generator.integers(rules.hands or 9))
    pack = generator.permutation(24).astype(np.int8)
    scores = generator.integers(-12, 40, 4).tolist()
    table = deal_table(rules, pack, int(generator.integers(rules.seats)), scores, hands_played)
    steps: list[Step] = []
    names = [CARDS[card] for card in pack]
    yield table, steps, names, hands_played
    while (phase := phase_text(table)) != "over":
        mask = int(engine.permitted(table[0], packed))
        action = int(generator.choice([a for a in range(43) if mask >> a & 1]))
        legal, seat = legal_texts(table, rules), int(table["seat"][0])
        steps.append({"seat": seat, "phase": phase, "legal": legal, "action": action_text(action, phase)})
        engine.apply(table[0], packed, action)
        yield table, steps, names, hands_played


def random_hand(rules: Rules, generator: np.random.Generator) -> tuple[HandRecord, int]:
    """The record of one hand, and the hands of the match before it."""
    moments = walk(rules, generator)
    start, steps, pack, hands_played = next(moments)
    scores, seats = start["scores"][0, : rules.seats].tolist(), rules.seats
    end = [table for table, *_ in moments][-1]
    record: HandRecord = {
        "rules": rules.as_record(),
        "dealer": int(end["dealer"][0]),
        "scores": scores,
        "hands": [pack[5 * seat : 5 * seat + 5] for seat in range(seats)],
        "rest": list(pack[5 * seats :]),
        "steps": steps,
        "result": result_of(end, rules),
    }
    return record, hands_played


def random_records(rules: Rules, count: int, seed: int) -> list[HandRecord]:
    """Hands as the environments deal them, in which every seat draws a legal action: many, and quickly."""
    generator = np.random.default_rng(seed)
    tables = Tables(rules, count)
    tables.reset(seed)
    while (live := np.flatnonzero(tables.episodes["over"] == 0)).size:
        actions = np.full(count, -1, np.int64)
        actions[live] = pick_evenly(tables.masks[live], generator.random(len(live)))
        tables.step(actions)
    return [tables.record(row) for row in range(count)]


def random_views(rules: Rules, count: int, seed: int) -> Views:
    """Decisions of random hands as the seats that have to take them see them, one with more than one choice a hand."""
    generator = np.random.default_rng(seed)
    found: list[np.ndarray] = []
    while len(found) < count:
        tables = [table.copy() for table, *_ in walk(rules, generator) if phase_text(table) != "over"]
        found += tables[:: max(1, len(tables) // 6)]
    tables = np.concatenate(found[:count]).view(np.recarray).astype(TABLE)
    seats = tables["seat"].astype(np.int64)
    return Views(rules, hide(tables, seats, rules), seats, generator.random(count))


def positions_of(views: Views) -> list[Position]:
    """Each decision in words."""
    return [position_of(views, row) for row in range(len(views))]
