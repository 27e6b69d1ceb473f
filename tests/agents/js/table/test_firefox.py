"""A whole match by clicks in Firefox, on a phone's width."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from pages.browsers import SIZES
from pages.firefox import needs_firefox, visit
from pages.table import CLICKS, NEXT, SETTINGS, SHOTS

from buck_env.records import parse_record, verify

KEPT = f"localStorage.setItem('buck-euchre.settings', {json.dumps(json.dumps(SETTINGS))})"
SET_UP = """
(async () => {
  const at = (selector) => document.querySelector(selector);
  while (!at("#setup[open]")) await new Promise((on) => setTimeout(on, 10));
  for (const [selector, value] of [["#profile", "bucked"], ["#house-hands", "2"], ["#seed", "7"]]) {
    at(selector).value = value;
    at(selector).dispatchEvent(new Event("change"));
  }
  at("#setup-start").click();
})()
"""
PLAY = f"new Promise((done) => (function () {{ {CLICKS} }})({json.dumps(NEXT)}, 10000, done))"
FOUND = """({
  end: document.querySelector("#result .end").textContent,
  records: JSON.parse(localStorage.getItem("buck-euchre.match")).records,
  wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
})"""


@needs_firefox
def test_a_whole_match_is_played_by_clicks(address: str, tmp_path: Path) -> None:
    scripts = [
        {"path": "/site.json", "script": KEPT},
        {"path": "/table/index.html", "script": SET_UP},
        {"script": f"{PLAY}.then((fault) => fault && Promise.reject(new Error(fault)))"},
        {"script": FOUND},
    ]
    found, said = visit(tmp_path, address, scripts, SIZES["phone"])
    records = [parse_record(json.dumps(record)) for record in found["records"]]
    assert verify(("page", record) for record in records) == 2
    assert ("You win" in found["end"]) == (records[-1]["result"]["winners"] == [0])
    assert found["wider"] == 0
    assert said == []
    SHOTS.mkdir(parents=True, exist_ok=True)
    shutil.copy(tmp_path / "seen.png", SHOTS / "firefox-phone-end.png")
