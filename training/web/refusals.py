"""What is answered to a request that cannot be done: one object that says what is wrong, where, and how to mend it."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel
from starlette.responses import Response

from buck_env.base.errors import BuckError

__all__ = ["Answer", "Fault", "FaultObject", "Refusal", "refused"]

_LONGEST = 500
"""Characters of a message, which may quote what was sent."""


class Fault(BaseModel):
    """What is wrong with a request."""

    what: str
    """What is wrong,"""
    where: str
    """which part of the request it is about,"""
    mend: str
    """and what to do about it."""


class FaultObject(BaseModel):
    """The body of every answer whose status is 400 or above."""

    error: Fault


class Refusal(BuckError):
    """A request that is not carried out; `status` is the HTTP status of the answer."""

    def __init__(self, status: int, what: str, where: str, mend: str) -> None:
        super().__init__(status, what, where, mend)
        self.status = status
        self.what = what
        self.where = where
        self.mend = mend

    def __str__(self) -> str:
        return self.what


class Answer(Response):
    """JSON in ASCII: a text that was sent with half a character in it can be quoted in an error."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """The body; ValueError where the content holds a number that is not finite."""
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def refused(refusal: Refusal) -> Answer:
    """The answer to a request that is not carried out."""
    what = str(refusal)
    what = what if len(what) <= _LONGEST else f"{what[: _LONGEST - 1]}…"
    error = {"what": what, "where": refusal.where, "mend": refusal.mend}
    headers = {"Retry-After": "1"} if refusal.status in (429, 503) else None
    return Answer({"error": error}, refusal.status, headers)
