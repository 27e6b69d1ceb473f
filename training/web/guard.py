"""What stands before the application: hosts, rate, size and time of every request, and the headers of every answer."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Sequence
from contextlib import suppress

from starlette.middleware.cors import CORSMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from training.web.limits import Limits, Rates
from training.web.refusals import Refusal, refused

__all__ = ["Guard", "guarded"]

_POLICY = "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'; base-uri 'self'; form-action 'self'"
_POLICY_OF_DOCS = f"{_POLICY}; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'"
_PIECE = 60.0
"""Seconds in which each piece of an answer that has begun leaves: a file may take long over a slow connection."""
_HEADERS = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}


def guarded(app: ASGIApp, limits: Limits, hosts: Collection[str] | None, origins: Sequence[str] = ()) -> ASGIApp:
    """An application within its guard. Pages of these other `origins` may ask it, and read its refusals, too."""
    guard = Guard(app, limits, hosts)
    if not origins:
        return guard
    return CORSMiddleware(
        guard,
        allow_origins=list(origins),
        allow_methods=["GET", "POST"],
        allow_headers=["content-type"],
        expose_headers=["Retry-After"],
    )


class _TooLarge(Exception):
    """A body that goes on beyond the limit."""


class Guard:
    """An ASGI application around another, which it lets answer within limits.

    `hosts` are the names under which the service may be addressed, which keeps pages of other sites from reaching it
    by a name of theirs; None allows any.
    """

    def __init__(self, app: ASGIApp, limits: Limits, hosts: Collection[str] | None) -> None:
        self._app = app
        self._limits = limits
        self._hosts = hosts
        self._rates = Rates(limits.rate)
        self._working = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        sender = _Sender(scope, send)
        try:
            self._admit(scope)
            self._working += 1
            try:
                async with asyncio.timeout(self._limits.seconds) as sender.limit:
                    await self._app(scope, _Measured(receive, self._limits.size), sender)
            finally:
                sender.limit = None
                self._working -= 1
        except Refusal as refusal:
            await self._refuse(refusal, scope, receive, sender)
        except _TooLarge:
            await self._refuse(self._too_large(), scope, receive, sender)
        except TimeoutError:
            seconds = self._limits.seconds
            late = Refusal(504, f"no answer within {seconds:g} s", "the request", "ask for less at once, or later")
            await self._refuse(late, scope, receive, sender)

    async def _refuse(self, refusal: Refusal, scope: Scope, receive: Receive, sender: _Sender) -> None:
        if not sender.began:
            with suppress(OSError):
                await refused(refusal)(scope, receive, sender)

    def _admit(self, scope: Scope) -> None:
        headers = dict(scope["headers"])
        host = _without_port(headers.get(b"host", b"").decode("latin-1"))
        if self._hosts is not None and host not in self._hosts:
            allowed = ", ".join(sorted(self._hosts))
            raise Refusal(421, f"host {host!r} is not this service", "header host", f"address it as one of {allowed}")
        address = scope["client"][0] if scope.get("client") else ""
        if not self._rates.allows(address):
            rate = f"{self._limits.rate:g}"
            raise Refusal(429, f"more than {rate} requests a second", "the client's address", "ask more slowly")
        if self._working >= self._limits.waiting:
            raise Refusal(503, f"{self._working} requests are in work", "the service", "ask again in a second")
        length = headers.get(b"content-length", b"0")
        if length.isdigit() and len(length) < 20 and int(length) > self._limits.size:
            raise self._too_large()

    def _too_large(self) -> Refusal:
        size = self._limits.size
        return Refusal(413, f"the body is larger than {size} bytes", "body", "send fewer positions in a request")


class _Measured:
    """The body of a request, as far as it may go."""

    def __init__(self, receive: Receive, size: int) -> None:
        self._receive = receive
        self._left = size

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise _TooLarge
        return message


class _Sender:
    """Sends an answer with the headers that all have; `limit` is the time until it is given up."""

    def __init__(self, scope: Scope, send: Send) -> None:
        self._send = send
        self._policy = _POLICY_OF_DOCS if scope["path"] == "/docs" else _POLICY
        self.began = False
        self.limit: asyncio.Timeout | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.began = True
            more = {**_HEADERS, "Content-Security-Policy": self._policy}
            headers = [(key.lower().encode(), value.encode()) for key, value in more.items()]
            message = {**message, "headers": [*message.get("headers", ()), *headers]}
        if self.limit is not None and not self.limit.expired():
            self.limit.reschedule(asyncio.get_running_loop().time() + _PIECE)
        await self._send(message)


def _without_port(host: str) -> str:
    """A host as its header names it, without the port and the brackets of an IPv6 address."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0]
