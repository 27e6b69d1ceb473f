"""Clients that ask a service over connections that stay open, each one question at a time."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

import numpy as np

from buck_env.base.errors import BuckError

__all__ = ["Client", "ask_at_a_pace", "ask_in_a_hurry"]


class Client:
    """One connection to a service on this machine."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, path: str, body: bytes) -> bytes:
        """The answer to JSON that is posted to a path; BuckError where its status is not 200."""
        head = f"POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        self._writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
        status, *headers = (await self._reader.readuntil(b"\r\n\r\n")).lower().split(b"\r\n")
        sizes = [line.partition(b":")[2] for line in headers if line.startswith(b"content-length:")]
        answer = await self._reader.readexactly(int(sizes[0]))
        if status.split()[1] != b"200":
            raise BuckError(f"{path}: the service answers {answer.decode()}")
        return answer

    async def close(self) -> None:
        """End the connection."""
        self._writer.close()
        await self._writer.wait_closed()


async def ask_at_a_pace(port: int, questions: Sequence[bytes], clients: int, rate: float, seconds: float) -> np.ndarray:
    """The seconds (n,) float64 that decisions take when clients together ask for `rate` of them a second.

    Each client begins at a moment of its own and asks steadily. A question counts from when it is due, also where the
    one before it is not answered yet.
    """
    loop = asyncio.get_running_loop()
    taken: list[float] = []
    async with _connected(port, questions, clients) as (connections, bodies):
        began = loop.time()

        async def ask(client: Client, phase: float) -> None:
            for number in itertools.count():
                due = (number + phase) * clients / rate
                if due >= seconds:
                    break
                await asyncio.sleep(began + due - loop.time())
                await client.ask("/decide", next(bodies))
                taken.append(loop.time() - began - due)

        phases = np.random.default_rng(0).random(clients)
        await asyncio.gather(*(ask(client, phase) for client, phase in zip(connections, phases, strict=True)))
    return np.array(taken)


async def ask_in_a_hurry(port: int, questions: Sequence[bytes], clients: int, seconds: float) -> float:
    """Answers a second where every client asks again as soon as it is answered."""
    loop = asyncio.get_running_loop()
    answers = 0
    async with _connected(port, questions, clients) as (connections, bodies):
        began = loop.time()

        async def ask(client: Client) -> None:
            nonlocal answers
            while True:
                await client.ask("/decide", next(bodies))
                answers += 1
                if loop.time() - began >= seconds:
                    break

        await asyncio.gather(*(ask(client) for client in connections))
        return answers / (loop.time() - began)


@asynccontextmanager
async def _connected(
    port: int, questions: Sequence[bytes], clients: int
) -> AsyncIterator[tuple[list[Client], Iterator[bytes]]]:
    """Clients that have each been answered once, and the questions without end."""
    bodies = itertools.cycle(questions)
    connections = [Client(*await asyncio.open_connection("127.0.0.1", port)) for _ in range(clients)]
    try:
        for client in connections:
            await client.ask("/decide", next(bodies))
        yield connections, bodies
    finally:
        for client in connections:
            await client.close()
