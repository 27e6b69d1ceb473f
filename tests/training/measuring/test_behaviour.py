"""What agents did, against a reader of the records."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from agents import load_agent
from buck_env.environments.tables import Tables
from buck_env.game.rules import PROFILES
from training.learning.figures import COUNTS, count_views
from training.measuring.arena import play_hands
from training.measuring.behaviour import BEHAVIOUR, count_hands
from training.measuring.counts import SEAT_COUNTS, as_numbers
from training.measuring.duplicate import deal_seeds


def by_name(counts: Any) -> dict[str, int]:
    """The sum of each count of (..., C)."""
    return {key: int(counts[key].sum()) for key in BEHAVIOUR.names or ()}


@cache
def counted_and_read(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The counts of 300 hands of a profile, and those that a reader of their records makes."""
    rules = PROFILES[name]
    tables = Tables(rules, 300, skip_forced=True)
    seats = rules.seats
    seating = np.arange(300 * seats).reshape(300, seats) % 3
    counts = np.zeros((3, seats), BEHAVIOUR)
    records: list[Any] = []

    def ended(rows: slice, tables: Tables, forfeited: np.ndarray) -> None:
        count_hands(tables.finals, seating[rows], rules, counts)
        records.extend(tables.record(row, finished=True) for row in range(tables.num_tables))

    agents = {label: load_agent("random", rules) for label in "abc"}
    play_hands(rules, agents, seating, deal_seeds(1, tables.num_tables), ended=ended)
    read = np.zeros_like(counts)
    for agent_of, record in zip(seating, records, strict=True):
        result = record["result"]
        for seat in range(seats):
            said = [(step["phase"], step["action"]) for step in record["steps"] if step["seat"] == seat]
            row = dict.fromkeys(BEHAVIOUR.names or (), 0)
            phases = [phase for phase, _ in said]
            row["hands"] = 1
            row["exchange_decisions"], row["exchanges"] = "exchange" in phases, ("exchange", "exchange") in said
            row["order_decisions"], row["orders"] = "order" in phases, ("order", "order") in said
            row["call_decisions"] = "call" in phases
            row["calls"] = any(phase == "call" and action != "pass" for phase, action in said)
            row["auctions"] = "bid" in phases
            row["bids"] = any(phase == "bid" and action != "pass" for phase, action in said)
            dropped = [("stay", "drop") in [(s["phase"], s["action"]) for s in record["steps"] if s["seat"] == other]
                       for other in range(seats)]  # fmt: skip
            alone = sum(dropped) == seats - 1
            bids = [int(s["action"][4:]) for s in record["steps"] if s["action"].startswith("bid:")]
            undertaken = max(bids) if bids else rules.maker_needs
            if result["maker"] == seat and not result["redeal"]:
                enough = alone or result["tricks"][seat] >= undertaken
                row |= {"made": 1, "successes": enough, "level": undertaken, "walkovers": alone}
                row["order_successes"], row["call_successes"] = row["orders"] and enough, row["calls"] and enough
            row["stay_decisions"] = "stay" in phases
            row["stays"] = row["stayers"] = ("stay", "stay") in said
            row["stay_successes"] = row["stays"] and result["tricks"][seat] >= rules.stayer_needs
            row["sweeps"] = result["tricks"][seat] == 5 and not alone
            for key, count in row.items():
                read[key][agent_of[seat], (seat - record["dealer"] - 1) % seats] += int(count)
    return counts, read


@pytest.mark.parametrize("name", PROFILES)
def test_behaviour_is_what_a_reader_of_the_records_would_count(name: str) -> None:
    counts, read = counted_and_read(name)
    assert by_name(counts) == by_name(read)
    assert (counts == read).all()
    assert by_name(counts)["hands"] == 300 * PROFILES[name].seats


def test_all_behaviour_that_is_counted_occurs_in_some_game() -> None:
    games = [by_name(counted_and_read(name)[1]) for name in PROFILES]
    assert [key for key in BEHAVIOUR.names or () if not sum(game[key] for game in games)] == []


@pytest.mark.parametrize("name", PROFILES)
def test_behaviour_and_the_learners_figures_count_alike(name: str) -> None:
    rules = PROFILES[name]
    counts = np.zeros((1, rules.seats), BEHAVIOUR)
    seen = np.zeros(1, COUNTS)

    def ended(rows: slice, tables: Tables, forfeited: np.ndarray) -> None:
        count_hands(tables.finals, np.zeros((len(tables.finals), rules.seats), np.int64), rules, counts)
        for seat in range(rules.seats):
            as_numbers(seen)[:] += as_numbers(count_views(tables.observe(seat, tables.finals)[0], rules))

    play_hands(
        rules, {"any": load_agent("random", rules)}, np.zeros((200, rules.seats), int), deal_seeds(0, 200), ended=ended
    )
    for key in ("hands", *SEAT_COUNTS):
        assert counts[key].sum() == seen[key].sum(), key


def test_a_seat_of_no_group_is_not_counted() -> None:
    rules = PROFILES["ohio"]
    counts = np.zeros((1, 4), BEHAVIOUR)
    count_hands(Tables(rules, 5).finals, np.array([[-1, 0, -1, -1]] * 5), rules, counts)
    assert counts["hands"][0].tolist() == [5, 0, 0, 0]  # the dealer of an empty table is seat 0
    assert as_numbers(counts)[0, 1:].sum() == 0
