"""Requests that wait together are decided together, by one bot at a time for each bot."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Final

from agents.programs.position import Position, views_of
from buck_env.base.errors import BuckError
from buck_env.game.rules import Rules
from buck_env.observation.agent import Agent
from buck_env.observation.views import Views
from buck_env.records import rules_of
from training.analysis.advice import Advice, advise
from training.web.bots import Bots
from training.web.refusals import Refusal

__all__ = ["Batcher", "position_views"]

_MOST: Final = 256
"""Positions in a batch, unless one request alone has more: no request waits long for those of others."""


@dataclass
class _Request:
    """What waits for an answer."""

    positions: Sequence[Position]
    answer: asyncio.Future[list[Advice]]
    found: list[tuple[Agent, Views]] = field(default_factory=list)
    """The agent and the decision of each position, once they have been read."""


class Batcher:
    """Answers for one bot. What comes while it decides is decided next, all at once."""

    def __init__(self, name: str, bots: Bots) -> None:
        self._name = name
        self._bots = bots
        self._waiting: asyncio.Queue[_Request] = asyncio.Queue()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._held: _Request | None = None
        self.batches = 0
        """Batches decided so far."""

    async def ask(self, positions: Sequence[Position]) -> list[Advice]:
        """The bot's advice in each position; Refusal names the position that cannot be decided."""
        request = _Request(positions, asyncio.get_running_loop().create_future())
        self._waiting.put_nowait(request)
        return await request.answer

    async def run(self) -> None:
        """Decide what comes, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            requests = await self._next()
            answers = await loop.run_in_executor(self._thread, self._decide, requests)
            self.batches += 1
            for request, answer in zip(requests, answers, strict=True):
                if request.answer.done():  # who asked has gone
                    continue
                if isinstance(answer, Exception):
                    request.answer.set_exception(answer)
                else:
                    request.answer.set_result(answer)

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _next(self) -> list[_Request]:
        """The requests of the next batch: the first that waits, and the others as far as they fit."""
        first = self._held or await self._waiting.get()
        self._held = None
        requests, size = [first], len(first.positions)
        while not self._waiting.empty():
            request = self._waiting.get_nowait()
            if request.answer.done():
                continue
            size += len(request.positions)
            if size > _MOST:
                self._held = request
                break
            requests.append(request)
        return requests

    def _decide(self, requests: list[_Request]) -> list[list[Advice] | Exception]:
        answers: list[list[Advice] | Exception] = [[] for _ in requests]
        for place, request in enumerate(requests):
            try:
                request.found = [
                    self._read(position, "" if len(request.positions) == 1 else f"positions.{row}")
                    for row, position in enumerate(request.positions)
                ]
            except Exception as error:
                answers[place] = error
        try:
            self._advise([request for request in requests if request.found], answers, requests)
        except Exception as error:
            return [answer if isinstance(answer, Exception) else error for answer in answers]
        return answers

    def _read(self, position: Position, where: str) -> tuple[Agent, Views]:
        rules, views = position_views(position, where)
        return self._bots.agent(self._name, rules), views

    def _advise(self, read: list[_Request], answers: list[list[Advice] | Exception], requests: list[_Request]) -> None:
        """Decide all positions together that are of the same rules."""
        together: dict[Rules, list[tuple[_Request, int]]] = defaultdict(list)
        for request in read:
            for row, (_, views) in enumerate(request.found):
                together[views.rules].append((request, row))
        advice: dict[tuple[int, int], Advice] = {}
        for places in together.values():
            agent = places[0][0].found[places[0][1]][0]
            joined = Views.join([request.found[row][1] for request, row in places])
            for (request, row), given in zip(places, advise(agent, joined), strict=True):
                advice[id(request), row] = given
        for place, request in enumerate(requests):
            if request.found:
                answers[place] = [advice[id(request), row] for row in range(len(request.found))]


def position_views(position: Position, where: str = "") -> tuple[Rules, Views]:
    """The rules of a position and its decision, a batch of one; Refusal says what makes no sense in it."""
    try:
        source = position["view"].get("rules")
        if not isinstance(source, str | dict):
            raise BuckError('view: rules: a view names its rules, as in "ohio" or {"base": "ohio", …}')
        rules = rules_of({"rules": source}, "view")  # type: ignore[typeddict-item]
        return rules, views_of(position, rules, "position")
    except BuckError as error:
        what = str(error).removeprefix("position: ")
        part = what.partition(":")[0]
        inner = part if part in ("view", "seat", "phase", "legal") else "view"
        place = f"{where}.{inner}".lstrip(".")
        raise Refusal(
            422, what, place, "send the view of the seat to act, as hand records and programs are sent it; see /docs"
        ) from None
