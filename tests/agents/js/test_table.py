"""The table in a browser: whole matches by clicks and by keys, and whatever else a person does there."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pages.browsers import SIZES, chromium, needs_chromium, resize, serving
from places import CONFORMANCE, ROOT

from buck_env import PROFILES
from buck_env.records import parse_record, read_records, verify
from training.bench.serve import serving as serving_bots
from training.tournament.pages import draw_hand
from training.web.site import write_site

pytestmark = needs_chromium
SHOTS = ROOT / "runs" / "table"
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
SETTINGS = {"speed": "instant", "keep": "moment"}
CLICKS = """
const [next, atMost, done] = arguments;
const click = (there) => {
  there.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = there.getBoundingClientRect();
  const over = document.elementFromPoint(left + width / 2, top + height / 2);
  if (!there.contains(over)) return `${there.outerHTML} lies under ${over?.outerHTML}`;
  there.click();
  return null;
};
(async () => {
  for (let clicks = 0; clicks < atMost && !document.querySelector("#result .end"); ) {
    const there = document.querySelector(next);
    const fault = there && click(there);
    if (fault) return fault;
    clicks += there ? 1 : 0;
    await new Promise((on) => setTimeout(on));
  }
  return null;
})().then(done);
"""
NEXT = "#go-on, #choices button, #hand .legal"
CASES = [
    (name, size)
    for place, name in enumerate(PROFILES)
    for size in SIZES
    if name == "ohio" or size == list(SIZES)[place % 2]
]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    write_site(folder)
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    with serving(site) as address:
        yield address


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with chromium() as driver:
        driver.set_script_timeout(60)
        yield driver


class Page:
    """The page of a table in a browser, opened anew, with nothing kept from before."""

    def __init__(self, driver: Any, address: str, size: str = "desktop", **settings: Any) -> None:
        self.driver = driver
        self.address = address
        self.resize(*SIZES[size], phone=size == "phone")
        driver.get(f"{address}/site.json")
        kept = json.dumps(json.dumps(SETTINGS | settings))
        driver.execute_script(f"localStorage.clear(); localStorage.setItem('buck-euchre.settings', {kept})")
        driver.get_log("browser")
        driver.get_log("performance")
        driver.get(f"{address}/table/index.html")
        self.await_(lambda: self.find("#setup[open]"))

    def resize(self, width: int, height: int, *, phone: bool = False) -> None:
        resize(self.driver, width, height, phone=phone)

    def find(self, selector: str) -> Any:
        found = self.driver.find_elements("css selector", selector)
        return found[0] if found else None

    def text(self, selector: str) -> str:
        return str(
            self.driver.execute_script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)
        )

    def run(self, script: str, *given: Any) -> Any:
        return self.driver.execute_script(script, *given)

    def await_(self, ready: Callable[[], Any]) -> Any:
        """What `ready` answers as soon as it is true."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            if answer := ready():
                return answer
            time.sleep(0.01)
        raise AssertionError(f"waited in vain: {self.text('#phase')!r}, {self.driver.get_log('browser')}")

    def set_up(
        self, profile: str = "ohio", *, hands: int | None = 5, seed: int = 7, others: str = "", practice: bool = False
    ) -> None:
        """Set up a match and begin it; without `others` the best bots of the profile play."""
        self.choose("#profile", profile)
        self.run("for (const folded of document.querySelectorAll('#setup details')) folded.open = true")
        for selector, value in (("#house-hands", hands), ("#seed", seed)):
            if value is not None:
                self.put(selector, value)
        for seat in range(1, PROFILES[profile].seats) if others else ():
            self.choose(f"#seat-{seat}", others)
        if practice:
            self.find("#practice").click()
        self.find("#setup-start").click()

    def choose(self, selector: str, value: str) -> None:
        from selenium.webdriver.support.ui import Select

        Select(self.find(selector)).select_by_value(value)

    def put(self, selector: str, value: Any) -> None:
        self.run(
            "const [at, value] = arguments; const input = document.querySelector(at); input.value = value;"
            "input.dispatchEvent(new Event('change'))",
            selector,
            str(value),
        )

    def next(self) -> Any:
        """The next thing that can be chosen, or None once the match is over."""
        over = "return document.querySelector('#result .end') ? 'over' : document.querySelector(arguments[0])"
        found = self.await_(lambda: self.run(over, NEXT))
        return None if found == "over" else found

    def play_on(self, *, at_most: int = 10_000) -> None:
        """Play by clicks, the first choice each time, to the end or so many clicks; nothing may be covered."""
        fault = self.driver.execute_async_script(CLICKS, NEXT, at_most)
        assert fault is None, fault

    def finish_hand(self) -> None:
        """Play by clicks to the end of the hand."""
        while (there := self.next()).get_attribute("id") != "go-on":
            there.click()

    def records(self) -> list[Any]:
        """The records of the match as the page keeps them."""
        kept = json.loads(self.run("return localStorage.getItem('buck-euchre.match')"))
        return [parse_record(json.dumps(record)) for record in kept["records"]]

    def shoot(self, name: str) -> None:
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.driver.save_screenshot(str(SHOTS / f"{name}.png"))

    def logged(self) -> list[str]:
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def asked(self) -> list[str]:
        events = [json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance")]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]


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
