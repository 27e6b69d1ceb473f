"""The table in a browser: whole matches by clicks and by keys, left and gone on with, offline and at a service."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest
from pages.browsers import SIZES, needs_chromium, serving
from pages.table import Page

from buck_env import PROFILES
from buck_env.records import verify
from training.bench.serve import serving as serving_bots
from training.web.site import write_site

pytestmark = needs_chromium
CASES = [
    (name, size)
    for place, name in enumerate(PROFILES)
    for size in SIZES
    if name == "ohio" or size == list(SIZES)[place % 2]
]


@pytest.mark.parametrize(("profile", "size"), CASES)
def test_a_whole_match_is_played_by_clicks(driver: Any, address: str, profile: str, size: str) -> None:
    page = Page(driver, address, size)
    page.set_up(profile)
    page.play_on(at_most=4)
    page.next()
    page.shoot(f"{profile}-{size}")
    page.play_on()
    page.shoot(f"{profile}-{size}-end")
    records = page.records()
    assert verify(("page", record) for record in records) == len(records) <= 5
    winners = records[-1]["result"]["winners"]
    assert winners
    assert ("You win" in page.text("#result .end")) == (winners == [0])
    assert page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert page.logged() == []
    assert {url for url in page.asked() if not url.startswith((page.address, "blob:"))} == set()


def test_a_whole_match_is_played_by_keys(driver: Any, address: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    page = Page(driver, address, keep="seen")
    page.choose("#profile", "bucked")
    page.run("for (const folded of document.querySelectorAll('#setup details')) folded.open = true")
    page.put("#house-hands", 3)
    page.put("#seed", 7)
    ActionChains(driver).send_keys_to_element(page.find("#seed"), Keys.ENTER).perform()
    kinds = set()
    for number in range(200):
        there = page.next()
        if there is None:
            break
        kind = there.get_attribute("id") or ("card" if there.get_attribute("data-card") else "choice")
        kinds.add(kind)
        keys = {"go-on": "g", "card": Keys.ARROW_RIGHT + Keys.ENTER, "choice": "1"}[kind]
        if number % 2:
            keys = Keys.ENTER  # the focus is where the person has to choose
        before = page.records()
        ActionChains(driver).send_keys(keys).perform()
        if kind != "go-on":
            page.await_(lambda before=before: page.records() != before)
    assert kinds == {"go-on", "card", "choice"}
    assert len(page.records()) == 3
    assert page.text("#result .end")


def test_a_match_goes_on_where_it_was_left(driver: Any, address: str) -> None:
    page = Page(driver, address, "phone")
    page.set_up("cutthroat")
    page.play_on(at_most=9)
    page.next()
    before, log = page.records(), page.text("#log")
    driver.refresh()
    page.next()
    assert page.records() == before
    assert page.text("#log") == log
    page.play_on()
    records = page.records()
    assert records[: len(before) - 1] == before[:-1]
    assert verify(("page", record) for record in records) == 5


def test_the_table_works_without_a_network(driver: Any, site: Path) -> None:
    with serving(site) as address:
        driver.get(f"{address}/site.json")
        others = ["another project's", f"buck-euchre {address}/elsewhere/ 1"]
        opened = "Promise.all(arguments[0].map((name) => caches.open(name))).then(() => arguments[1]())"
        driver.execute_async_script(opened, [*others, f"buck-euchre {address}/ before"])
        page = Page(driver, address)
        kept = "return navigator.serviceWorker.controller && caches.keys().then((names) => names.length)"
        page.await_(lambda: page.run(kept))
        page.await_(lambda: page.run("return caches.keys().then((names) => names.length)") == 3)
        assert set(others) < set(page.run("return caches.keys()"))
    page.set_up("bucked", hands=None)
    page.play_on(at_most=3)
    driver.refresh()
    page.play_on(at_most=3)
    page.next()
    assert "pretrained" in "".join(json.loads(page.run("return localStorage.getItem('buck-euchre.match')"))["seats"])


def test_a_page_of_a_service_is_not_kept_by_the_browser(driver: Any, tmp_path: Path) -> None:
    write_site(tmp_path / "site", bots=[], agents=[])
    with serving(tmp_path / "site") as address:
        page = Page(driver, address)
        assert page.run("return navigator.serviceWorker.getRegistrations().then((found) => found.length)") == 0


def test_a_match_without_a_winner_ends_after_200_hands(driver: Any, address: str) -> None:
    page = Page(driver, address)
    seats = ["person", "random", "random", "random"]
    driver.execute_async_script(
        """
        const [seats, done] = arguments;
        import("../index.js").then(({ Match, parseRules, random }) => {
          const match = new Match(parseRules({ base: "ohio", start: 900, sweep_wins: false }), { seed: 7 });
          while (match.number < 199) {
            while (!match.table.over) match.table.apply(random().decide(match.table.position(0.5)).action);
            match.next();
          }
          const kept = { records: match.records(), seed: "7", seats, practice: false };
          localStorage.setItem("buck-euchre.match", JSON.stringify(kept));
        }).then(done);
        """,
        seats,
    )
    driver.refresh()
    page.play_on()
    assert len(page.records()) == 200
    assert page.text("#result .end").startswith("After 200 hands the match ends without a winner")


@pytest.mark.soak
def test_a_bot_of_the_service_plays_and_analyses(driver: Any) -> None:
    with serving_bots(["--bots", "pretrained", "--rules", "ohio", "--seconds", "60"], table=True) as (_, port):
        page = Page(driver, f"http://127.0.0.1:{port}", hints=True)
        page.set_up("ohio", hands=None, others="served:pretrained")
        page.next()
        page.await_(lambda: page.text("#advice button"))
        for _ in range(60):  # the process that analyses may have to be compiled
            page.find("#advice button").click()
            page.await_(lambda: page.text("#advice div div") not in ("", "The server is playing this on …"))
            if "±" in page.text("#advice"):
                break
            time.sleep(5)
        assert "±" in page.text("#advice")
        page.shoot("served")
        page.finish_hand()
        assert any(url.endswith("/decide") for url in page.asked())
