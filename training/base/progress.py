"""How far a long piece of work is: a bar on a terminal, and a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from tqdm import tqdm

__all__ = ["Progress"]

_EVERY = 30.0
"""The number of seconds between two lines off a terminal."""


class Progress:
    """Shows on stderr how much of a total is done, parts of a unit included: ``hands: 120 of 300 deals after 60 s``."""

    def __init__(self, what: str, unit: str, total: int, *, shown: bool = True, every: float = _EVERY) -> None:
        self._what, self._unit, self._total, self._every = what, unit, total, every
        self._done = 0.0
        self._shown = shown and total > 0
        self._began = self._last = time.monotonic()
        self._bar: tqdm | None = None
        if self._shown and sys.stderr.isatty():
            self._bar = tqdm(total=total, desc=what, unit=f" {unit}", unit_scale=True, miniters=0)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.close()

    def add(self, done: float) -> None:
        """So much more has been done."""
        self._done += done
        if self._bar is not None:
            self._bar.update(done)
        elif self._shown and (now := time.monotonic()) >= self._last + self._every:
            self._last = now
            seconds = now - self._began
            print(
                f"{self._what}: {self._done:,.0f} of {self._total:,} {self._unit} after {seconds:,.0f} s",
                file=sys.stderr,
                flush=True,
            )

    def expect(self, total: int) -> None:
        """The total is now thought to be another."""
        self._total = total
        if self._bar is not None:
            self._bar.total = total
