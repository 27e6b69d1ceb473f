"""What the table in a browser shows: hints, reviews, reasons, at every width, and to everybody."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from pages.browsers import CHROMIUM, FLAGS, SIZES, needs_chromium
from pages.table import Page
from places import ROOT

pytestmark = needs_chromium
LIGHTHOUSE = ROOT / "node_modules" / ".bin" / "lighthouse"
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"


def test_hints_are_the_bots_probabilities_and_a_review_follows_the_hand(driver: Any, address: str) -> None:
    page = Page(driver, address, hints=True)
    page.set_up("ohio", hands=None)
    page.next()
    page.await_(lambda: page.text("#advice li"))
    page.shoot("hint")
    shares = [
        int(share) for share in page.run("return document.querySelector('#advice').textContent.match(/\\d+(?=%)/g)")
    ]
    assert len(shares) == len(page.run("return document.querySelectorAll('#choices button, #hand .legal')"))
    assert 98 <= sum(shares) <= 102
    assert "Expected from here" in page.text("#advice")
    page.finish_hand()
    page.find("#review").click()
    page.await_(lambda: page.text(".review table"))
    page.shoot("review")
    own = [step for step in page.records()[0]["steps"] if step["seat"] == 0 and len(step["legal"]) > 1]
    assert len(page.run("return document.querySelectorAll('.review tbody tr')")) == len(own)


def test_only_a_practice_match_is_undone(driver: Any, address: str) -> None:
    page = Page(driver, address)
    page.set_up("stick-the-dealer", practice=True)
    page.next()
    before = page.records()[-1]["steps"]
    page.next().click()
    page.next()
    assert len(page.records()[-1]["steps"]) > len(before)
    page.find("#undo").click()
    page.await_(lambda: page.records()[-1]["steps"] == before)
    page.find("#new").click()
    page.run("document.querySelector('#practice').checked = false; document.querySelector('#setup-start').click()")
    page.next()
    assert not page.find("#undo").is_displayed()


def test_what_cannot_be_played_says_why(driver: Any, address: str) -> None:
    page = Page(driver, address)
    page.set_up("ohio", hands=40)
    while (there := page.next()) and not page.find("#hand .dim"):
        there.click()
    dim = page.find("#hand .dim")
    reason = dim.get_attribute("title")
    assert reason.startswith("You must follow ")
    assert reason in dim.get_attribute("textContent")
    assert dim.get_attribute("aria-disabled") == "true"
    before = page.records()
    dim.click()
    assert page.text("#why strong") == reason
    assert page.records() == before


@pytest.mark.parametrize("width", [360, 768, 2560])
@pytest.mark.parametrize("look", ["light", "dark"])
def test_the_page_fits_every_width_in_both_colours(driver: Any, address: str, width: int, look: str) -> None:
    page = Page(driver, address, look=look)
    page.resize(width, 800)
    page.set_up("stick-the-dealer")
    page.next()
    page.shoot(f"{look}-{width}")
    assert page.run("return document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    cards = page.run(
        "return [...document.querySelectorAll('#hand .card')].map((card) => card.getBoundingClientRect().width)"
    )
    assert min(cards) >= 48
    for dialog, opener in (("settings", "settings-open"), ("helping", "help"), ("setup", "new")):
        page.find(f"#{opener}").click()
        assert page.run("return document.querySelector('dialog[open]').id") == dialog
        box = page.run("return document.querySelector('dialog[open]').getBoundingClientRect().toJSON()")
        assert box["left"] >= 0
        assert box["right"] <= width
        page.shoot(f"{look}-{width}-{dialog}")
        page.run("document.querySelector('dialog[open]').close()")


@pytest.mark.skipif(not AXE.is_file(), reason="accessibility is checked by axe: npm install --no-save axe-core")
@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_serious(driver: Any, address: str, size: str, look: str) -> None:
    page = Page(driver, address, size, look=look, hints=True)
    driver.execute_script(AXE.read_text(encoding="utf-8"))
    check = (
        "const done = arguments[0];"
        "axe.run().then(({ violations }) => done(violations.map((v) => [v.impact, v.id, v.nodes[0].html])))"
    )

    def found() -> list[Any]:
        return [one for one in driver.execute_async_script(check) if one[0] in ("serious", "critical")]

    assert found() == [], "the dialog that sets up a match"
    page.set_up("ohio", hands=None)
    page.next()
    page.await_(lambda: page.text("#advice li"))
    assert found() == [], "a choice"
    while "legal" not in (there := page.next()).get_attribute("class"):
        there.click()
    assert found() == [], "a card"
    page.finish_hand()
    page.find("#review").click()
    page.await_(lambda: page.text(".review"))
    assert found() == [], "the end of a hand"


@pytest.mark.skipif(not LIGHTHOUSE.is_file(), reason="NOT CHECKED by Lighthouse: npm install --no-save lighthouse")
def test_lighthouse_gives_the_page_95_or_more(address: str, tmp_path: Path) -> None:
    command = [
        str(LIGHTHOUSE), f"{address}/table/index.html", "--quiet", "--no-enable-error-reporting", "--output=json",
        f"--output-path={tmp_path / 'found.json'}", "--only-categories=accessibility,best-practices",
        f"--chrome-flags={' '.join(FLAGS)}",
    ]  # fmt: skip
    environment = {**os.environ, "CHROME_PATH": str(CHROMIUM)}
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert run.returncode == 0, run.stderr[-4000:]
    found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))
    scores = {name: category["score"] for name, category in found["categories"].items()}
    failed = [audit["title"] for audit in found["audits"].values() if audit["score"] not in (1, None)]
    assert set(scores) == {"accessibility", "best-practices"}
    assert min(scores.values()) >= 0.95, (scores, failed)
