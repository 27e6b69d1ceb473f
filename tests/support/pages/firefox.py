"""Firefox, which puppeteer drives over WebDriver BiDi: a page is opened, and a script runs in it."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from places import ROOT

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PUPPETEER = ROOT / "node_modules" / "puppeteer-core" / "lib" / "esm" / "puppeteer" / "puppeteer-core.js"
needs_firefox = pytest.mark.skipif(
    not FIREFOX or not PUPPETEER.is_file() or not shutil.which("node"),
    reason="NOT CHECKED: pages are opened in Firefox by node, with npm install --no-save puppeteer-core",
)
_VISIT = """
import { readFileSync, writeFileSync } from "node:fs";
const { puppeteer, launch, folder, address, viewport, scripts } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const { default: driver } = await import(puppeteer);
const browser = await driver.launch({ browser: "firefox", headless: true, ...launch });
const said = [];
let answer;
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => said.push(error.message));
  page.on("console", (message) => said.push(message.text()));
  await page.setViewport(viewport);
  for (const { path, script } of scripts) {
    if (path) await page.goto(address + path);
    answer = await page.evaluate(script);
  }
  await page.screenshot({ path: `${folder}/seen.png` });
} finally {
  await browser.close();
}
writeFileSync(`${folder}/answer.json`, JSON.stringify({ answer, said }));
"""


def visit(folder: Path, address: str, scripts: list[dict[str, str]], size: tuple[int, int]) -> tuple[Any, list[str]]:
    """What the last script answers, and what the page has printed; `folder` holds `seen.png` after it.

    Each of the scripts is an expression, perhaps a promise. One with a `path` runs once that page has been opened.
    """
    given = {
        "puppeteer": PUPPETEER.as_uri(), "launch": {"executablePath": FIREFOX}, "folder": str(folder),
        "address": address, "viewport": {"width": size[0], "height": size[1]}, "scripts": scripts,
    }  # fmt: skip
    (folder / "given.json").write_text(json.dumps(given), encoding="utf-8")
    (folder / "visit.mjs").write_text(_VISIT, encoding="utf-8")
    command = ["node", str(folder / "visit.mjs"), str(folder / "given.json")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stderr[-4000:]
    found = json.loads((folder / "answer.json").read_text(encoding="utf-8"))
    return found["answer"], found["said"]
