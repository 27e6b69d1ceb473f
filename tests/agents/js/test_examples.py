"""The examples of the JavaScript package: a program at a table, a page in a browser, and a server."""

from __future__ import annotations

import json
import shlex
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bots import untrained
from bundles import quietly
from javascript.node import PACKAGE, needs_node
from javascript.random_hands import positions_of, random_views
from pages.browsers import chromium, needs_chromium, serving
from places import ROOT
from programs import played

from agents import load_agent, tally_of
from agents.programs.position import action_texts
from buck_env import PROFILES, load_rules

EXAMPLES = PACKAGE / "examples"
OHIO = PROFILES["ohio"]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bundle")
    return quietly(untrained(folder / "bot", OHIO), folder / "bundle", samples=4)


@needs_node
@pytest.mark.parametrize("profile", PROFILES)
def test_a_function_plays_as_a_program_what_the_program_without_a_package_plays(profile: str) -> None:
    rules = load_rules(profile)
    plain = load_agent(f"cmd:node {shlex.quote(str(ROOT / 'agents' / 'examples' / 'mybot.js'))}", rules)
    ours = load_agent(f"cmd:node {shlex.quote(str(EXAMPLES / 'bot.js'))}", rules)
    assert np.array_equal(played(ours, 3, rules), played(plain, 3, rules))
    assert set(tally_of(ours)) == {"decisions"}


@needs_node
def test_a_bundle_plays_as_a_program_what_it_plays_in_python(bundle: Path) -> None:
    ours = load_agent(f"cmd:node {shlex.quote(str(EXAMPLES / 'bot.js'))} {shlex.quote(str(bundle))}", OHIO)
    assert np.array_equal(played(ours, 3, OHIO), played(load_agent(f"onnx:{bundle}", OHIO), 3, OHIO))
    assert set(tally_of(ours)) == {"decisions"}


def post(url: str, body: bytes) -> tuple[int, Any]:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body), timeout=30) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


@needs_node
def test_a_server_answers_positions_and_says_what_is_wrong_with_a_request(bundle: Path) -> None:
    command = ["node", str(EXAMPLES / "server.js"), str(bundle), "0"]
    views = random_views(OHIO, 30, seed=21)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout
            url = server.stdout.readline().strip()
            answers = [post(url, json.dumps(position).encode()) for position in positions_of(views)]
            assert {status for status, _ in answers} == {200}
            wanted = action_texts(load_agent(f"onnx:{bundle}", OHIO).act(views), views)
            assert [decision["action"] for _, decision in answers] == wanted
            assert post(url, b"{")[0] == 400
            assert "view" in post(url, b'{"view": 3}')[1]["error"]
            assert post(url, b" " * 300_000)[0] == 413
            assert post(url.replace("decide", "guess"), b"{}")[0] == 404
            assert post(url, json.dumps(positions_of(views)[0]).encode())[0] == 200
        finally:
            server.terminate()


@needs_chromium
def test_a_page_of_30_lines_plays_a_match_with_a_bundle(bundle: Path) -> None:
    assert len((EXAMPLES / "page.html").read_text().splitlines()) <= 30
    with serving(PACKAGE) as address, chromium() as driver:
        driver.get(f"{address}/examples/page.html")
        driver.find_element("id", "files").send_keys("\n".join(str(path) for path in sorted(bundle.iterdir())))
        driver.find_element("id", "start").click()
        driver.implicitly_wait(10)
        assert driver.find_element("css selector", "#choices button")
        click = "const choice = document.querySelector('#choices button'); choice?.click(); return choice !== null"
        decisions = 0
        while driver.execute_script(click):
            decisions += 1
        assert decisions
        said = driver.find_element("id", "hand").text
        assert said.startswith("Won by seat")
        assert [entry for entry in driver.get_log("browser") if "favicon" not in entry["message"]] == []
