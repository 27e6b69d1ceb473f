"""What the service answers, and that nothing that is sent ends it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="NOT CHECKED: FastAPI is not installed (pip install 'buck-euchre-rl[web]')")

from starlette.testclient import TestClient

from agents import load_agent
from agents.programs.position import choose, position_of
from buck_env import load_rules
from training.web.app import make_app
from training.web.bots import first_decision, load_bots
from training.web.guard import Guard
from training.web.limits import Limits

OHIO = load_rules("ohio")
POSITION: dict[str, Any] = dict(position_of(first_decision(OHIO), 0))
VIEW = POSITION["view"]


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    bots = load_bots(["pretrained", "rules-v1", "random"], [OHIO])
    limits = Limits(size=200_000, positions=8, seconds=300, rate=0)
    app = Guard(make_app(bots, limits), limits, {"testserver"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NUMBA_DISABLE_JIT", "1")  # for the process that analyses a few deals: compiling takes longer
        with TestClient(app, raise_server_exceptions=False) as client:
            yield client


def test_a_view_is_answered_with_action_probabilities_and_value(client: TestClient) -> None:
    answer = client.post("/decide", json={"view": VIEW}).json()
    assert answer["bot"] == "pretrained"
    assert answer["action"] == choose(load_agent("pretrained", OHIO), VIEW)
    assert sum(answer["probabilities"].values()) == pytest.approx(1)
    assert isinstance(answer["value"], float)


def test_a_batch_is_answered_in_its_order(client: TestClient) -> None:
    drawn = [{**POSITION, "uniform": uniform} for uniform in (0.0, 0.9, 0.1)]
    answers = client.post("/decide", json={"bot": "random", "positions": drawn}).json()["decisions"]
    assert [answer["action"] for answer in answers] == [
        client.post("/decide", json={"bot": "random", **position}).json()["action"] for position in drawn
    ]
    assert answers[0]["action"] != answers[1]["action"]


def test_house_rules_are_played_by_bots_that_play_any(client: TestClient) -> None:
    view = {**VIEW, "rules": {"base": "ohio", "target": 1}}
    assert client.post("/decide", json={"bot": "rules-v1", "view": view}).json()["probabilities"] is None
    refused = client.post("/decide", json={"view": view})
    assert refused.status_code == 422
    assert "rules-v1 or random" in refused.json()["error"]["mend"]


def test_an_analysis_has_a_figure_for_every_legal_action(client: TestClient) -> None:
    answer = client.post("/analyse", json={"view": VIEW, "deals": 8, "model": "rules-v1"})
    assert sorted(answer.json()["actions"]) == sorted(POSITION["legal"])
    assert client.post("/analyse", json={"view": VIEW, "deals": 10**6}).json()["error"]["where"] == "deals"


@pytest.mark.parametrize("name", ["ppo:runs/mine", "os:system", "cmd:id", "../../etc/passwd", "mine.yaml:a", ""])
def test_a_name_from_the_net_loads_nothing(client: TestClient, name: str) -> None:
    for path, key in (("/decide", "bot"), ("/analyse", "model")):
        answer = client.post(path, json={key: name, "view": VIEW})
        assert answer.status_code in (404, 422)
        assert answer.json()["error"]["where"] == key


def test_bots_rules_and_health_are_listed(client: TestClient) -> None:
    assert [bot["name"] for bot in client.get("/bots").json()] == ["pretrained", "rules-v1", "random"]
    assert client.get("/rules").json()["served"]["ohio"] == OHIO.as_dict()
    assert client.get("/healthz").json()["status"] == "ok"
    assert "/decide" in client.get("/openapi.json").json()["paths"]
    assert "https://" not in client.get("/docs").text


@pytest.mark.parametrize(
    ("body", "status", "where"),
    [
        (b"", 422, "body"),
        (b"{", 422, "body"),
        (b"[" * 100_000, 400, "/decide"),
        (b'{"view": {}}', 422, "view"),
        (b'{"view": {"rules": "../x"}}', 422, "view"),
        (b'{"bot": "\\ud800", "view": {}}', 404, "bot"),
        (b'{"positions": []}', 422, "body.positions"),
        (b'{"view": {}, "uniform": NaN}', 422, "body.uniform"),
        (b'{"view": {}, "uniform": 1' + b"0" * 5000 + b"}", 400, "/decide"),
        (b'{"positions": [' + b'{"view": {}},' * 8 + b'{"view": {}}]}', 413, "positions"),
        (b" " * 200_001, 413, "body"),
    ],
)
def test_what_is_wrong_is_answered_by_one_object(client: TestClient, body: bytes, status: int, where: str) -> None:
    answer = client.post("/decide", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["where"].startswith(where)
    assert error["what"]
    assert error["mend"]
    assert "Traceback" not in answer.text


def test_another_host_and_another_path_are_refused(client: TestClient) -> None:
    assert client.get("/healthz", headers={"host": "evil.example"}).status_code == 421
    assert client.get("/nope").json()["error"]["where"] == "/nope"
    assert client.get("/decide").status_code == 405


def fuzzed(rng: random.Random) -> bytes:
    """A request with something changed in it: values of keys, or bytes."""
    strange = [None, -1, 0.5, 2**70, "", "9S", "x" * 500, [], {}, [None], True, ["9S"] * 30, {"base": "ohio"}]
    request = {"bot": "rules-v1", **POSITION, "view": {**VIEW}}
    if rng.random() < 0.3:
        body = bytearray(json.dumps(request).encode())
        for _ in range(rng.randint(1, 4)):
            body[rng.randrange(len(body))] = rng.randrange(256)
        return bytes(body[: rng.choice([len(body), rng.randrange(len(body))])])
    for _ in range(rng.randint(1, 3)):
        inside = request["view"] if rng.random() < 0.7 else request
        inside[rng.choice([*inside, "more"])] = deepcopy(rng.choice(strange))
        if not isinstance(request.get("view"), dict):
            break
    return json.dumps(request).encode()


def soak(client: TestClient, number: int) -> None:
    rng = random.Random(number)
    for _ in range(number):
        path = rng.choices(["/decide", "/nope", "/analyse"], [970, 27, 3])[0]
        answer = client.post(path, content=fuzzed(rng), headers={"content-type": "application/json"})
        assert answer.status_code < 500, answer.text
        assert answer.status_code == 200 or set(answer.json()["error"]) == {"what", "where", "mend"}
    assert client.post("/decide", json={"view": VIEW}).status_code == 200


def test_requests_with_changes_leave_it_serving(client: TestClient) -> None:
    soak(client, 300)


@pytest.mark.soak
def test_ten_thousand_requests_with_changes_leave_it_serving(client: TestClient) -> None:
    soak(client, 10_000)
