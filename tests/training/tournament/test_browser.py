"""Pages in a browser at desktop and phone width: only boxes scroll, nothing is fetched, hands are stepped through."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pages.browsers import SIZES, chromium, needs_chromium, resize
from places import CONFORMANCE

from agents import load_agent
from buck_env.game.rules import PROFILES
from buck_env.records import confirmed, read_records
from training.tournament.event import TournamentConfig, play_tournament
from training.tournament.pages import draw_hands, page
from training.tournament.report.page import report_page

pytestmark = needs_chromium
HOSTILE = "<script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">"
DATA = CONFORMANCE


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with chromium() as driver:
        yield driver


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A report in which an agent has a hostile name, and a page of hands of matches."""
    folder = tmp_path_factory.mktemp("pages")
    config = TournamentConfig(agents={HOSTILE: "", "rules-v1": "", "a rather long name of an agent": ""}, deals=200)
    names = ("random", "rules-v1", "random")
    agents = {label: load_agent(name, PROFILES["ohio"]) for label, name in zip(config.agents, names, strict=True)}
    hands, count = draw_hands(itertools.islice(confirmed(read_records(DATA / "matches.jsonl")), 12))
    texts = {
        "report": report_page(play_tournament(config, agents, progress=False)),
        "hands": page("hands.html", title=HOSTILE, hands=hands, first=1, count=count),
    }
    for name, text in texts.items():
        (folder / f"{name}.html").write_text(text, encoding="utf-8")
    return {name: folder / f"{name}.html" for name in texts}


def opened(driver: Any, page: Path, size: str, *, script: bool = True) -> None:
    """Open a page at a size; what was logged before is forgotten."""
    width, height = SIZES[size]
    resize(driver, width, height, phone=size == "phone")
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not script})
    driver.get_log("browser")
    driver.get_log("performance")
    driver.get(page.as_uri())


def shown(driver: Any, hand: Any) -> list[str]:
    """What is said by the steps of a hand that can be seen."""
    return [said.text for said in hand.find_elements("css selector", ".said") if said.is_displayed()]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["report", "hands"])
def test_the_page_fits_logs_no_error_and_fetches_nothing(
    driver: Any, pages: dict[str, Path], name: str, size: str
) -> None:
    opened(driver, pages[name], size)
    for folded in driver.find_elements("css selector", "details"):
        driver.execute_script("arguments[0].open = true", folded)
    across = driver.execute_script("return document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert across == 0
    wide = driver.execute_script(
        "return [...document.querySelectorAll('main *')].filter(e => !e.closest('.wide') "
        "&& e.getBoundingClientRect().right > document.documentElement.clientWidth + 1).map(e => e.outerHTML)"
    )
    assert wide == []
    assert driver.get_log("browser") == []
    events = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    sent = [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]
    assert sent == [pages[name].as_uri()]


@pytest.mark.parametrize("name", ["report", "hands"])
def test_a_hostile_name_is_text(driver: Any, pages: dict[str, Path], name: str) -> None:
    opened(driver, pages[name], "desktop")
    assert driver.find_elements("css selector", "img") == []
    assert len(driver.find_elements("css selector", "script")) == 1
    assert driver.title != "taken"
    assert HOSTILE in driver.find_element("css selector", "body").text


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["report", "hands"])
def test_a_hand_can_be_stepped_through(driver: Any, pages: dict[str, Path], name: str, size: str) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(driver, pages[name], size)
    hand = driver.find_element("css selector", ".hand")
    last = len(hand.find_elements("css selector", ".frames > li")) - 1
    output = hand.find_element("css selector", "output")
    first, back, forth, end = (
        hand.find_element("css selector", f"button[value={value}]") for value in ("first", "back", "next", "last")
    )
    assert shown(driver, hand) == ["the cards are dealt"]
    steps = [(forth.click, 1), (forth.click, 2), (back.click, 1), (end.click, last), (forth.click, last)]
    steps += [(first.click, 0), (back.click, 0)]
    keys = ((Keys.ARROW_RIGHT, 1), (Keys.ARROW_RIGHT, 2), (Keys.ARROW_LEFT, 1), (Keys.END, last), (Keys.HOME, 0))
    steps += [(lambda key=key: hand.send_keys(key), at) for key, at in keys]
    for act, at in steps:
        act()
        assert output.text == f"step {at} of {last}"
        assert len(shown(driver, hand)) == 1
    other = driver.find_elements("css selector", ".hand")[1]
    assert shown(driver, other) == ["the cards are dealt"], "each hand is stepped for itself"
    forth.click()
    assert shown(driver, hand)[0].startswith("seat ")


def test_controls_can_be_reached_by_keyboard(driver: Any, pages: dict[str, Path]) -> None:
    from selenium.webdriver.common.keys import Keys

    opened(driver, pages["hands"], "desktop")
    reached = []
    for _ in range(6):
        driver.switch_to.active_element.send_keys(Keys.TAB)
        reached.append(driver.execute_script("return document.activeElement.value || document.activeElement.className"))
    assert reached == ["hand stepped", "first", "back", "next", "last", "hand stepped"]


def test_without_scripts_all_steps_are_a_list(driver: Any, pages: dict[str, Path]) -> None:
    opened(driver, pages["hands"], "phone", script=False)
    try:
        hand = driver.find_element("css selector", ".hand")
        assert len(shown(driver, hand)) == len(hand.find_elements("css selector", ".frames > li")) > 1
        assert not hand.find_element("css selector", ".controls").is_displayed()
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
