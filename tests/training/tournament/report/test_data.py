"""The JSON of an event: behaviour with what it is out of."""

from __future__ import annotations

from events import Eager, played

from agents import load_agent
from buck_env.game.rules import PROFILES
from training.measuring.behaviour import RATES
from training.tournament.report.data import results_json


def test_rates_come_with_what_they_are_out_of() -> None:
    results = played()
    behaviour = results_json(results)["behaviour"]["random"]
    hands = results.deals * int((results.lineups.seatings == 1).sum())
    assert behaviour["makes"]["of"] == hands
    assert behaviour["makes"]["rate"] == behaviour["makes"]["part"] / hands
    assert sum(place["of"] for place in behaviour["makes"]["by_seat_from_dealer"]) == hands
    assert behaviour["stays"]["phase"] == "stay"
    assert "bids" not in behaviour, "there is no auction in ohio"
    assert {rate.name for rate in RATES} >= set(behaviour)


def test_a_game_without_makers_has_no_rate_of_making() -> None:
    behaviour = results_json(played(rules="stick-the-dealer", deals=50))["behaviour"]["random"]
    assert "makes" not in behaviour
    assert "sweeps" in behaviour


def test_a_rate_of_any_agent_is_there_for_all() -> None:
    results = played({"eager": Eager(), "random": load_agent("random", PROFILES["ohio"])}, deals=50)
    results.hands.behaviour[0] = 0
    behaviour = results_json(results)["behaviour"]
    assert list(behaviour["eager"]) == list(behaviour["random"])
    assert behaviour["eager"]["orders"]["rate"] is None
