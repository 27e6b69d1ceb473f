"""Who sits at the table in a browser, and the hands that come to it and leave it: files, links, functions, bundles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from bots import untrained
from bundles import quietly
from pages.browsers import needs_chromium
from pages.table import Page
from places import CONFORMANCE, ROOT

from buck_env import PROFILES
from buck_env.records import parse_record, read_records
from training.tournament.pages import draw_hand

pytestmark = needs_chromium


def test_records_are_loaded_stepped_through_and_played_on(driver: Any, address: str, tmp_path: Path) -> None:
    page = Page(driver, address)
    page.set_up("dirty-clubs", hands=2)
    page.play_on()
    lines = [json.dumps(record) for record in page.records()]
    whole, cut, wrong = tmp_path / "whole.jsonl", tmp_path / "cut.jsonl", tmp_path / "wrong.jsonl"
    whole.write_text("\n".join(lines) + "\n")
    unfinished = json.loads(lines[0])
    unfinished["steps"] = unfinished["steps"][:3]
    del unfinished["result"]
    cut.write_text(json.dumps(unfinished) + "\n")
    wrong.write_text(lines[0].replace('"dealer": ', '"dealer": 1'))

    page.run("document.querySelector('#setup').close()")
    page.find("#record-file").send_keys(str(wrong))
    page.await_(lambda: "cannot be loaded" in page.text("#warning"))
    page.find("#record-file").send_keys(str(whole))
    page.await_(lambda: page.find("#steps[open]"))
    assert page.text("#steps-at") == f"Hand 1 of 2: step 0 of {len(json.loads(lines[0])['steps'])}"
    page.find("#step-next").click()
    page.find("#step-hand-after").click()
    page.find("#step-last").click()
    page.shoot("steps")
    last = len(json.loads(lines[1])["steps"])
    assert page.text("#steps-at") == f"Hand 2 of 2: step {last} of {last}"
    page.find("#step-close").click()
    page.find("#record-file").send_keys(str(cut))
    page.await_(lambda: page.find("#steps[open]"))
    page.find("#step-next").click()
    page.find("#step-play").click()
    page.next()
    assert page.records()[0]["steps"][:1] == unfinished["steps"][:1]
    assert page.records()[0]["hands"] == unfinished["hands"]
    page.play_on(at_most=3)


def test_what_is_saved_in_the_middle_of_a_match_is_loaded(driver: Any, address: str, tmp_path: Path) -> None:
    page = Page(driver, address)
    page.set_up("ohio", hands=3)
    page.finish_hand()
    page.next().click()
    page.play_on(at_most=2)
    page.next()
    folder = {"behavior": "allow", "downloadPath": str(tmp_path)}
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", folder)
    page.find("#save").click()
    saved = page.await_(lambda: next(tmp_path.glob("*.jsonl"), None))
    records = page.records()
    assert [parse_record(line) for line in saved.read_text().splitlines()] == records
    assert ["result" in record for record in records] == [True, False]
    single = tmp_path / "single.jsonl"  # the second hand without the first
    single.write_text(saved.read_text().splitlines()[1] + "\n")
    for file, hands in ((saved, 2), (single, 1)):
        page.find("#record-file").send_keys(str(file))
        page.await_(lambda: page.find("#steps[open]"))
        assert f"Hand 1 of {hands}" in page.text("#steps-at")
        page.find("#step-hand-after").click()
        page.find("#step-last").click()
        page.find("#step-play").click()
        page.play_on(at_most=1)
        assert [record["hands"] for record in page.records()] == [record["hands"] for record in records[-hands:]]
        assert page.text("#warning") == ""


def test_a_kept_match_that_cannot_be_read_makes_way_for_a_new_one(driver: Any, address: str) -> None:
    page = Page(driver, address)
    page.find("#setup-cancel").click()
    page.run("""localStorage.setItem("buck-euchre.match", '{"records":[{}]}')""")
    page.run("globalThis.location.reload()")
    page.await_(lambda: "The match that was left cannot be read" in page.text("#warning"))
    page.await_(lambda: page.find("#setup[open]"))
    page.set_up("ohio")
    assert page.text("#warning") == ""
    page.next()


def test_a_link_of_a_report_deals_its_hand(driver: Any, address: str) -> None:
    _, record = next(read_records(CONFORMANCE / "dirty-clubs.jsonl"))
    link = f"{address}/table/index.html#{draw_hand(record, 'one').link.partition('#')[2]}"
    page = Page(driver, address)
    page.set_up("ohio")
    page.play_on(at_most=2)
    page.next()
    before = page.records()
    for answer in ("#linked .close", "#link-play"):
        driver.get(link)
        driver.refresh()  # an address that differs in its fragment alone is not opened anew
        page.await_(lambda: page.find("#linked[open]"))
        assert page.records() == before
        page.find(answer).click()
    page.play_on(at_most=1)
    dealt = page.records()[0]
    assert [dealt[key] for key in ("rules", "dealer", "hands", "rest")] == [
        record[key] for key in ("rules", "dealer", "hands", "rest")
    ]
    driver.get(f"{address}/table/index.html#hand=nothing")
    driver.refresh()
    page.await_(lambda: "The link's hand cannot be played" in page.text("#warning"))


def test_a_function_sits_at_the_table(driver: Any, address: str) -> None:
    page = Page(driver, address)
    page.set_up("ohio", hands=2)
    page.run("window.asked = []; table.seat(2, (view) => { asked.push(view.seat); return view.legal.at(-1); })")
    page.play_on()
    assert set(page.run("return asked")) == {2}
    mine = [step for record in page.records() for step in record["steps"] if step["seat"] == 2]
    assert [step["action"] for step in mine][-len(page.run("return asked")) :] == [step["legal"][-1] for step in mine][
        -len(page.run("return asked")) :
    ]


def test_who_has_left_a_seat_neither_comes_back_nor_warns(driver: Any, address: str) -> None:
    page = Page(driver, address)
    page.set_up("ohio", hands=2, others="random")
    page.run("window.late = []; table.seat(1, () => new Promise((_, fail) => late.push(fail)))")
    page.run("document.querySelector('#choices button, #hand .legal')?.click()")
    page.await_(lambda: page.run("return late.length"))
    page.run("table.seat(1, ({ legal }) => legal[0]); late.forEach((fail) => fail(new Error('too late')))")
    page.play_on()
    assert page.text("#warning") == ""
    assert page.logged() == []


def test_a_function_that_fails_is_named_and_replaced(driver: Any, address: str) -> None:
    page = Page(driver, address)
    page.set_up("ohio", hands=1, others="random")
    page.run("table.seat(1, () => 'fold')")
    page.play_on()
    assert page.text("#warning") == 'West cannot go on: "fold" is not legal now. A random legal action takes its place.'
    assert page.text("#result .end")


def test_bots_play_among_themselves(driver: Any, address: str) -> None:
    page = Page(driver, address)
    page.choose("#seat-0", "random")
    page.set_up("bucked", hands=2, others="random")  # where no sweep ends a match
    page.await_(lambda: page.text("#result .end"))
    assert len(page.records()) == 2


def test_a_house_and_a_bundle_come_from_files(driver: Any, address: str, site: Path) -> None:
    page = Page(driver, address)
    page.run("for (const folded of document.querySelectorAll('#setup details')) folded.open = true")
    page.find("#bot-file").send_keys("\n".join(str(path) for path in (site / "bots" / "ohio").iterdir()))
    page.await_(lambda: "is loaded" in page.text("#setup-said"))
    assert "(your file)" in page.text("#seat-1")
    page.find("#bot-file").send_keys(str(site / "bots" / "ohio" / "bot.json"))
    page.await_(lambda: "This is no bundle that can play" in page.text("#setup-said"))
    page.find("#house-file").send_keys(str(ROOT / "configs" / "rules" / "bucked-15.yaml"))
    page.await_(lambda: page.run("return document.querySelector('#rule-target').value") == "15")
    page.put("#rule-bid_min", 9)
    assert "do not go together" in page.text("#setup-said")


def test_a_bundle_that_decides_some_phases_is_completed_by_rules_v1(driver: Any, address: str, tmp_path: Path) -> None:
    bundle = quietly(untrained(tmp_path / "bot", PROFILES["ohio"], phases=["stay", "play"]), tmp_path / "bundle")
    page = Page(driver, address)
    page.run("for (const folded of document.querySelectorAll('#setup details')) folded.open = true")
    page.find("#bot-file").send_keys("\n".join(str(path) for path in bundle.iterdir()))
    page.await_(lambda: "is loaded" in page.text("#setup-said"))
    assert "(your file: stay, play; else rules-v1)" in page.text("#setup-said")
    name = page.run("return document.querySelector('#seat-1 option[value^=file]').value")
    page.set_up("ohio", hands=None, others=name)
    page.play_on(at_most=40)
    page.next()
    records = page.records()
    asked = {step["phase"] for record in records for step in record["steps"] if step["seat"] != 0}
    assert asked & {"order", "call"}
    assert asked >= {"stay", "play"}
    assert page.text("#warning") == ""
