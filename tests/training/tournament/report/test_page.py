"""The report as a page: whole, fetching nothing, and with only text in it."""

from __future__ import annotations

import pytest
from events import Eager, played
from reading import Reader

from agents import load_agent
from buck_env.game.rules import PROFILES
from training.tournament.report.data import results_json
from training.tournament.report.page import report_page

HOSTILE = "<script>alert(1)</script>"


def test_the_page_is_whole_fetches_nothing_and_holds_names_as_text() -> None:
    results = played({HOSTILE: Eager(), 'b" onload="x': load_agent("random", PROFILES["ohio"])}, matches=2)
    page = report_page(results)
    read = Reader(page)
    assert read.open == []
    assert all(link.startswith("#") for link in read.fetched)
    assert all(link.startswith(("#", "http://127.0.0.1:8000/table/")) for link in read.links)
    assert read.tags.count("script") == 1
    assert HOSTILE in read.text
    assert "onload" not in page.replace("b&#34; onload=", "")
    assert "url(" not in page
    assert "@import" not in page
    assert len(page.encode()) < 10**6
    assert read.tags.count("th") == page.count(" scope="), "every header says what it heads"


@pytest.mark.parametrize("name", PROFILES)
def test_every_game_has_its_report(name: str) -> None:
    results = played({label: load_agent("random", PROFILES[name]) for label in "abc"}, rules=name, deals=50, mixed=0)
    read = Reader(report_page(results))
    assert read.open == []
    assert "There is nothing to see: the event was too short" in read.text
    for rates in results_json(results)["behaviour"].values():
        assert all(rate in read.text for rate in rates)


def test_an_event_of_many_agents_has_a_report() -> None:
    agents = {f"agent {i}": load_agent("random", PROFILES["bucked-3"]) for i in range(10)}
    results = played(agents, rules="bucked-3", deals=100, until=0.01)
    read = Reader(report_page(results))
    assert read.open == []
    assert "until ± 0.01" in read.text
