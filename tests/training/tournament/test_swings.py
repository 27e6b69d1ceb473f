"""The hands with the largest swings, played again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from events import Eager, played
from programs import Program

from agents import Agent, load_agent
from buck_env.game.rules import PROFILES
from buck_env.observation.views import Views
from buck_env.records import verify_hand
from training.tournament.lineups import make_lineups
from training.tournament.report.data import results_json
from training.tournament.report.page import report_page
from training.tournament.shards import Event
from training.tournament.swings import SWINGS, played_again


class Moody(Eager):
    """Eager, until its mood changes: then the first legal action."""

    def __init__(self, calls: float = float("inf")) -> None:
        self.calls = calls

    def act(self, views: Views) -> np.ndarray:
        self.calls -= 1
        return super().act(views) if self.calls >= 0 else views.action_mask.argmax(axis=1)


class Broken(Moody):
    """Eager, until it fails."""

    def act(self, views: Views) -> np.ndarray:
        if self.calls <= 0:
            raise ValueError("worn out")
        return super().act(views)


def test_swings_are_played_again_as_records_that_the_engine_confirms() -> None:
    results = played({name: load_agent(name, PROFILES["ohio"]) for name in ("rules-v1", "random")} | {"eager": Eager()})
    assert len(results.swings) == SWINGS
    assert [abs(swing.size) for swing in results.swings] == sorted((abs(s.size) for s in results.swings), reverse=True)
    toward = results.config.rules.toward
    for swing in results.swings:
        assert swing.records is not None, "random draws by the numbers it is given"
        for record, points in zip(swing.records, swing.points, strict=True):
            assert toward * verify_hand(record)[0]["deltas"][swing.seat] == points
        assert swing.records[0]["hands"] == swing.records[1]["hands"]


@pytest.mark.parametrize(
    ("kind", "why"),
    [(Moody, "when the agents were asked again they played to other points"), (Broken, "an agent failed when")],
)
def test_an_agent_that_is_not_the_same_again_leaves_its_swings_undrawn(kind: type[Moody], why: str) -> None:
    event = Event(PROFILES["ohio"], {}, make_lineups(2, 4, 1, seed=0), seed=3)
    others: dict[str, Agent] = {"random": load_agent("random", PROFILES["ohio"])}
    results = played({"moody": Eager(), **others}, deals=50)
    bare = [replace(swing, records=None) for swing in results.swings]
    assert played_again(event, {"moody": Moody(), **others}, bare) == results.swings
    other = played_again(event, {"moody": kind(0), **others}, bare)
    assert any(swing.records is None for swing in other)
    assert f"Not drawn: {why}" in report_page(replace(results, swings=other))


@pytest.mark.parametrize("on_fault", ["random", "forfeit"])
def test_hands_in_which_a_program_was_at_fault_are_not_drawn_as_its_own(on_fault: str, tmp_path: Path) -> None:
    agents = {"broken": Program(tmp_path).name("illegal", after=1), "rules-v1": "rules-v1"}
    results = played(agents=agents, deals=50, on_fault=on_fault)
    assert results.swings
    assert not any(swing["played_again"] for swing in results_json(results)["swings"])
    page = report_page(results)
    assert page.count("Not drawn: a program was at fault in it") == len(results.swings)
    assert "to be stepped through" not in page


def test_ctrl_c_while_swings_are_played_again_leaves_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = played(deals=50)

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("training.tournament.swings.play_hands", interrupted)
    results = played(deals=50)
    assert results.complete
    assert results.swings == [replace(swing, records=None) for swing in whole.swings]
    undrawn = report_page(results).count("Not drawn: the event was interrupted; --resume goes on with it.")
    assert undrawn == len(results.swings) > 0


def test_where_nobody_ever_differs_there_are_no_swings() -> None:
    agents: dict[str, Agent] = {"one": Eager(), "other": Eager()}
    results = played(agents)
    assert results.swings == []
    assert "There are none" in report_page(results)
