"""Clients that ask at a pace: what they count, and what they make of an error."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest

from buck_env import BuckError
from training.bench.clients import ask_at_a_pace, ask_in_a_hurry


def served(answer: bytes, ask: Callable[[int], Coroutine[Any, Any, Any]]) -> tuple[Any, list[bytes]]:
    """What `ask` returns of a server that answers everything with these bytes, and the bodies that it was sent."""
    bodies: list[bytes] = []
    attending: list[Any] = []

    async def attend(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        attending.append(asyncio.current_task())
        with suppress(asyncio.IncompleteReadError):  # the client has left
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                bodies.append(await reader.readexactly(int(head.rpartition(b":")[2])))
                writer.write(answer)
        writer.close()

    async def run() -> Any:
        async with await asyncio.start_server(attend, "127.0.0.1", 0) as server:
            try:
                return await ask(server.sockets[0].getsockname()[1])
            finally:
                await asyncio.gather(*attending)

    return asyncio.run(run()), bodies


GOOD = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


def test_questions_are_asked_in_turn_as_often_as_they_are_due() -> None:
    taken, bodies = served(GOOD, lambda port: ask_at_a_pace(port, [b"1", b"22", b"333"], 2, 40, 0.25))
    assert len(taken) == 10
    assert (taken > 0).all()
    assert bodies[:4] == [b"1", b"22", b"333", b"1"]
    assert len(bodies) == 12


def test_a_client_in_a_hurry_asks_until_the_time_is_over() -> None:
    rate, bodies = served(GOOD, lambda port: ask_in_a_hurry(port, [b"1"], 3, 0))
    assert len(bodies) == 6
    assert rate > 0


def test_an_error_is_raised_as_the_service_words_it() -> None:
    bad = b'HTTP/1.1 404 Not Found\r\ncontent-length: 11\r\n\r\n{"error":1}'
    with pytest.raises(BuckError, match=r'/decide: the service answers {"error":1}'):
        served(bad, lambda port: ask_in_a_hurry(port, [b"1"], 1, 1))
