"""Analyses in a process of their own: one that takes too long is ended, and the next is made all the same."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

pytest.importorskip("fastapi", reason="NOT CHECKED: FastAPI is not installed (pip install 'buck-euchre-rl[web]')")

from agents.programs.position import position_of
from buck_env import load_rules
from training.web.analysing import Analyses, AnalysisJob
from training.web.bots import first_decision
from training.web.refusals import Refusal

POSITION = position_of(first_decision(load_rules("ohio")), 0)
QUICK = AnalysisJob(POSITION, "rules-v1", 4, 0, 0)
LONG = AnalysisJob(POSITION, "rules-v1", 10**6, 0, 0)
SENSELESS = AnalysisJob({**POSITION, "view": {}}, "rules-v1", 4, 0, 0)


@pytest.fixture
def analyses(monkeypatch: pytest.MonkeyPatch) -> Iterator[Analyses]:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # a few deals take less time than compiling
    analyses = Analyses(300, None)
    yield analyses
    analyses.close()


def test_an_analysis_that_takes_too_long_is_ended_and_another_made(analyses: Analyses) -> None:
    async def run() -> dict[str, object]:
        await analyses.analyse(QUICK)
        analyses._seconds = 0.5
        with pytest.raises(Refusal, match=r"the analysis took more than 0\.5 s") as caught:
            await analyses.analyse(LONG)
        assert caught.value.status == 504
        analyses._seconds = 270
        return await analyses.analyse(QUICK)

    assert asyncio.run(run())["deals"] == 4


def test_an_analysis_that_nobody_waits_for_any_more_is_not_begun(analyses: Analyses) -> None:
    async def run() -> None:
        await analyses.analyse(QUICK)
        first = asyncio.create_task(analyses.analyse(QUICK))
        second = asyncio.create_task(analyses.analyse(LONG))
        await asyncio.sleep(0)
        second.cancel()
        assert (await first)["deals"] == 4
        assert (await asyncio.wait_for(analyses.analyse(QUICK), 240))["deals"] == 4

    asyncio.run(run())


def test_a_position_without_sense_is_refused_and_the_process_goes_on(analyses: Analyses) -> None:
    async def run() -> None:
        for _ in range(2):
            with pytest.raises(Refusal) as caught:
                await analyses.analyse(SENSELESS)
            assert caught.value.status == 422

    asyncio.run(run())
