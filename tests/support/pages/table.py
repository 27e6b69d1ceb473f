"""The table in a browser as a test uses it: a page opened anew, matches set up and played by clicks."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from typing import Any

from pages.browsers import SIZES, resize
from places import ROOT

from buck_env import PROFILES
from buck_env.records import parse_record

SHOTS = ROOT / "runs" / "table"
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
