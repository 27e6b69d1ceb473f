"""How much one client and all together may ask of the service."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["Limits", "Rates"]

_MOST_CLIENTS = 4096
"""Addresses whose rate is remembered; of more, the one that has been silent longest is forgotten."""


@dataclass(frozen=True)
class Limits:
    """The limits of a service."""

    size: int = 2**20
    """Bytes of a request's body,"""
    positions: int = 256
    """positions in it,"""
    rate: float = 1000.0
    """requests a second of one address, and as many at once after a silence; 0 sets no limit,"""
    seconds: float = 10.0
    """seconds until a request is answered,"""
    waiting: int = 1024
    """requests in work at a time,"""
    deals: int = 2000
    """deals of one analysis,"""
    matches: int = 400
    """and its matches."""


class Rates:
    """A bucket of requests for each address, refilled at a steady rate and holding those of one second."""

    def __init__(self, rate: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._most = max(1.0, rate)
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        """Address: how many requests were left at a time."""

    def allows(self, address: str) -> bool:
        """Whether an address may ask now; if so, the request is counted."""
        if not self._rate:
            return True
        now = self._clock()
        left, since = self._left.pop(address, (self._most, now))
        left = min(self._most, left + (now - since) * self._rate)
        self._left[address] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > _MOST_CLIENTS:
            self._left.popitem(last=False)
        return left >= 1
