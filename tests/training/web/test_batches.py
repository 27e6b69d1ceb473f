"""Requests that wait together are decided together."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

import numpy as np
import pytest

pytest.importorskip("fastapi", reason="NOT CHECKED: FastAPI is not installed (pip install 'buck-euchre-rl[web]')")

from agents.programs.position import position_of
from buck_env import load_rules
from buck_env.observation.views import Views
from training.web import batches
from training.web.batches import Batcher
from training.web.bots import Bots, first_decision
from training.web.refusals import Refusal

OHIO = load_rules("ohio")
POSITION = position_of(first_decision(OHIO), 0)


class Counting:
    """Takes the first legal action, and keeps how many decisions it was asked for at a time."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def act(self, views: Views) -> np.ndarray:
        self.asked.append(len(views))
        return views.action_mask.argmax(axis=1)


def answers(agent: Counting, *requests: list[Any]) -> list[Any]:
    """What requests that wait already when the batcher begins are answered by, each with advice or an error."""

    async def run() -> list[Any]:
        batcher = Batcher("counting", Bots({"counting": {OHIO: agent}}, (OHIO,), {"counting": OrderedDict()}))
        waiting = [asyncio.create_task(batcher.ask(positions)) for positions in requests]
        await asyncio.sleep(0)
        working = asyncio.create_task(batcher.run())
        found = await asyncio.gather(*waiting, return_exceptions=True)
        working.cancel()
        batcher.close()
        return found

    return asyncio.run(run())


def test_waiting_requests_are_one_batch() -> None:
    agent = Counting()
    found = answers(agent, [POSITION], [POSITION, POSITION], [POSITION])
    assert agent.asked == [4]
    assert [len(advice) for advice in found] == [1, 2, 1]


def test_a_position_without_sense_spoils_no_other() -> None:
    agent = Counting()
    good, bad, last = answers(agent, [POSITION], [POSITION, {"view": {"rules": "ohio"}}], [POSITION])
    assert agent.asked == [2]
    assert len(good) == len(last) == 1
    assert isinstance(bad, Refusal)
    assert bad.where.startswith("positions.1.view")


def test_a_batch_is_not_longer_than_the_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_MOST", 3)
    agent = Counting()
    found = answers(agent, [POSITION] * 2, [POSITION] * 2, [POSITION] * 5)
    assert agent.asked == [2, 2, 5]
    assert [len(advice) for advice in found] == [2, 2, 5]
