"""What the guard lets through, and what it answers itself."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Collection, Iterable
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="NOT CHECKED: FastAPI is not installed (pip install 'buck-euchre-rl[web]')")

from starlette.requests import Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from training.web.guard import Guard, guarded
from training.web.limits import Limits


async def echo(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the body that it is sent; at /slow it never does, and at /pieces it takes its time to go on."""
    if scope["path"] == "/pieces":

        async def pieces() -> AsyncIterator[bytes]:
            for piece in (b"a", b"b"):
                yield piece
                await asyncio.sleep(0.3)

        await StreamingResponse(pieces())(scope, receive, send)
        return
    if scope["path"] == "/slow":
        await asyncio.sleep(3600)
    await PlainTextResponse(await Request(scope, receive).body())(scope, receive, send)


async def asked(
    guard: Guard, path: str = "/", body: Iterable[bytes] = (), host: str = "localhost"
) -> tuple[int, dict[str, str], bytes]:
    """The status, the headers and the body that a request is answered by; its own body comes in pieces."""
    scope = {
        "type": "http", "method": "POST", "path": path, "headers": [(b"host", host.encode())], "query_string": b"",
        "client": ("10.0.0.1", 1),
    }  # fmt: skip
    pieces = iter([*body, b""])
    sent: list[Message] = []

    async def receive() -> Message:
        piece = next(pieces, None)
        if piece is None:  # nothing more comes, and nobody hangs up
            await asyncio.sleep(3600)
        return {"type": "http.request", "body": piece, "more_body": bool(piece)}

    async def send(message: Message) -> None:
        sent.append(message)

    await guard(scope, receive, send)
    headers = {key.decode(): value.decode() for key, value in sent[0]["headers"]}
    return sent[0]["status"], headers, b"".join(message.get("body", b"") for message in sent[1:])


def answer(limits: Limits, hosts: Collection[str] | None = None, **request: Any) -> tuple[int, dict[str, str], bytes]:
    return asyncio.run(asked(Guard(echo, limits, hosts), **request))


def test_a_body_in_pieces_counts_as_a_whole() -> None:
    assert answer(Limits(size=6), body=[b"abc", b"def"])[::2] == (200, b"abcdef")
    status, _, body = answer(Limits(size=5), body=[b"abc", b"def"])
    assert status == 413
    assert json.loads(body)["error"]["where"] == "body"


def test_an_answer_that_takes_too_long_is_given_up() -> None:
    assert answer(Limits(seconds=0.01), path="/slow")[0] == 504


def test_an_answer_that_has_begun_may_take_longer() -> None:
    assert answer(Limits(seconds=0.1), path="/pieces")[::2] == (200, b"ab")


@pytest.mark.parametrize(
    ("host", "status"), [("localhost:8000", 200), ("[::1]:8000", 200), ("evil.example", 421), ("", 421)]
)
def test_only_its_own_names_reach_it(host: str, status: int) -> None:
    assert answer(Limits(), {"localhost", "::1"}, host=host)[0] == status


def test_an_address_that_asks_too_often_may_ask_again_later() -> None:
    async def run() -> list[tuple[int, dict[str, str], bytes]]:
        guard = Guard(echo, Limits(rate=0.001), None)
        return [await asked(guard) for _ in range(2)]

    first, second = asyncio.run(run())
    assert (first[0], second[0]) == (200, 429)
    assert second[1]["retry-after"] == "1"


def test_requests_beyond_those_in_work_are_refused() -> None:
    async def run() -> int:
        guard = Guard(echo, Limits(waiting=1, seconds=60), None)
        slow = asyncio.create_task(asked(guard, "/slow"))
        await asyncio.sleep(0)
        status = (await asked(guard))[0]
        slow.cancel()
        return status

    assert asyncio.run(run()) == 503


def test_every_answer_keeps_a_page_to_its_origin() -> None:
    for path in ("/", "/slow"):
        headers = answer(Limits(seconds=0.01), path=path)[1]
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert headers["x-content-type-options"] == "nosniff"


def test_pages_of_other_origins_read_answers_and_refusals_alike() -> None:
    mine = {"origin": "https://my.site"}
    client = TestClient(guarded(echo, Limits(size=3, seconds=0.1), None, ["https://my.site"]))
    asks = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
    assert client.options("/decide", headers=mine | asks).status_code == 200
    for path, body, status in (("/", "abc", 200), ("/", "abcd", 413), ("/slow", "", 504)):
        found = client.post(path, content=body, headers=mine)
        assert (found.status_code, found.headers["access-control-allow-origin"]) == (status, "https://my.site")
    assert "access-control-allow-origin" not in client.post("/", headers={"origin": "https://other.site"}).headers
    alone = TestClient(guarded(echo, Limits(), None))
    assert "access-control-allow-origin" not in alone.post("/", headers=mine).headers
