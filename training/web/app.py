"""The application: what each request is answered by."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi_offline import FastAPIOffline
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.staticfiles import StaticFiles

from agents.programs.position import Position, position_of
from buck_env import PROFILES, __version__
from buck_env.game.house import explain_fields
from training.web.analysing import Analyses, AnalysisJob
from training.web.batches import Batcher, position_views
from training.web.bots import Bots, first_decision
from training.web.limits import Limits
from training.web.refusals import Answer, FaultObject, Refusal, refused
from training.web.schemas import AnalysisQuestion, Decided, Decisions, Question

__all__ = ["make_app"]

_FAULTS: dict[int | str, dict[str, Any]] = {
    status: {"model": FaultObject} for status in (400, 404, 413, 422, 429, 500, 503, 504)
}


def make_app(bots: Bots, limits: Limits, *, site: Path | None = None) -> FastAPI:
    """The application that answers for these bots; `site` is a folder of pages that it shows."""
    batchers = {name: Batcher(name, bots) for name in bots.agents}
    analyses = Analyses(limits.seconds, _first_job(bots))

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(batcher.run()) for batcher in batchers.values()]
        analyses.begin()
        yield
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for batcher in batchers.values():
            batcher.close()
        analyses.close()

    app = FastAPIOffline(title="Buck Euchre", version=__version__, lifespan=lifespan, redoc_url=None, responses=_FAULTS)

    @app.post("/decide", response_model=Decided | Decisions)
    async def decide(question: Question) -> Response:
        """What a bot does in a position, or in several."""
        asked: dict[str, Any] = dict(question)
        name = bots.name(asked.pop("bot", None))
        many = "positions" in asked
        positions = asked["positions"] if many else [cast(Position, asked)]
        if len(positions) > limits.positions:
            raise Refusal(
                413, f"{len(positions)} positions", "positions", f"send at most {limits.positions} in a request"
            )
        advice = [asdict(given) for given in await batchers[name].ask(positions)]
        return Answer({"bot": name, "decisions": advice} if many else {"bot": name, **advice[0]})

    @app.post("/analyse")
    async def analyse(question: AnalysisQuestion) -> Response:
        """What each legal action of a position is worth, as `buck analyse --json` writes it."""
        asked: dict[str, Any] = dict(question)
        deals, matches = asked.pop("deals", min(200, limits.deals)), asked.pop("matches", 0)
        seed, model = asked.pop("seed", 0), asked.pop("model", None)
        for key, value, most in (("deals", deals, limits.deals), ("matches", matches, limits.matches)):
            if value > most:
                raise Refusal(422, f"{value} {key}", key, f"ask for at most {most}")
        if 0 < matches < 4:
            raise Refusal(422, f"{matches} matches", "matches", "ask for none, or for 4 or more")
        position = cast(Position, asked)
        rules, _ = position_views(position)
        models = bots.models(rules)
        if not models or (model is not None and model not in models):
            able = f"name one of {', '.join(models)}" if models else "ask about the rules that GET /rules lists"
            raise Refusal(422, f"{model or 'no bot'} can analyse under the rules {rules.name}", "model", able)
        return Answer(await analyses.analyse(AnalysisJob(position, model or models[0], deals, matches, seed)))

    @app.get("/bots")
    async def list_bots() -> Response:
        """The bots that can be asked, the default first."""
        return Answer(bots.listed())

    @app.get("/rules")
    async def list_rules() -> Response:
        """The rules that are served, the profiles, and what each field of them means."""
        fields = {
            name: {"allowed": allowed, "meaning": meaning} for name, (allowed, meaning) in explain_fields().items()
        }
        return Answer(
            {
                "served": {rules.name: rules.as_dict() for rules in bots.rules},
                "profiles": {name: rules.as_dict() for name, rules in PROFILES.items()},
                "fields": fields,
            }
        )

    @app.get("/healthz")
    async def healthz() -> Response:
        """That the service works."""
        return Answer({"status": "ok", "version": __version__})

    _explain_faults(app)
    if site is not None:
        app.mount("/", StaticFiles(directory=site, html=True), name="site")
    return app


def _first_job(bots: Bots) -> AnalysisJob | None:
    """A small analysis by the default bot; None where no bot can analyse."""
    for rules in bots.rules:
        for model in bots.models(rules)[:1]:
            return AnalysisJob(position_of(first_decision(rules), 0), model, 4, 4, 0)
    return None


def _explain_faults(app: FastAPI) -> None:
    """Every error is answered by one object."""

    @app.exception_handler(Refusal)
    async def refusal(_: Request, error: Exception) -> Response:
        assert isinstance(error, Refusal)
        return refused(error)

    @app.exception_handler(RequestValidationError)
    async def unfit(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"] if part not in ("one", "many"))
        return refused(Refusal(422, first["msg"], place[:200], "send JSON as /docs describes it"))

    @app.exception_handler(HTTPException)
    async def http(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        mend = "see /docs for what can be asked" if error.status_code in (404, 405) else "send JSON as /docs describes"
        return refused(Refusal(error.status_code, str(error.detail), request.url.path[:200], mend))

    @app.exception_handler(Exception)
    async def failed(request: Request, error: Exception) -> Response:
        what = f"the service failed: {type(error).__name__}"
        return refused(Refusal(500, what, request.url.path[:200], "ask again; if it fails again, report the request"))
