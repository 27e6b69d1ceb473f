"""What a command prints of texts that others wrote, and of files that fail."""

from __future__ import annotations

import argparse
import errno
from pathlib import Path

__all__ = ["line", "say", "told_of_file"]

_LONGEST = 2000
"""Characters of a text that quotes what others wrote, before they are escaped."""


def line(text: str) -> str:
    """A text as one line: its middle left out where it is too long, what cannot be printed escaped."""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} … {text[-_LONGEST // 2 :]}"
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)


def say(text: str) -> None:
    """Print a text as one line."""
    print(line(text))


def told_of_file(error: OSError, options: argparse.Namespace) -> str:
    """What is wrong with a file, and with which option or setting another is given where it came of one."""
    mark = "{}=" if hasattr(options, "overrides") else "--{} "
    ways = []
    for name in ("out", "record", "json", "card"):
        path = getattr(options, name, None)
        if path and _came_of(error, path):
            ways.append(f"{mark.format(name)}{path}")
    where = f"{error.filename}: " if error.filename else ""
    another = f", or give another than {' or '.join(ways)}" if ways else ""
    return f"{where}{error.strerror or error}; mend that{another}"


def _came_of(error: OSError, path: Path) -> bool:
    """Whether an error can have come of writing a path: it names it or what leads there, or no file, as a full disk."""
    if not error.filename:
        return error.errno == errno.ENOSPC
    named = Path(str(error.filename))
    return named.is_relative_to(path) or path.is_relative_to(named)
