"""What a command prints of texts that others wrote, and of files that fail."""

from __future__ import annotations

import errno
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from buck_env import BuckError

__all__ = ["file_error", "line", "say", "writing"]

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


@contextmanager
def writing(paths: Mapping[str, Path | None]) -> Iterator[None]:
    """Run what writes some files; an OSError that came of one of them is raised as a BuckError with its option.

    `paths` maps each option as one types it, with what follows its name (``"--out "``, ``"out="``), to its path.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        ways = [f"{option}{path}" for option, path in paths.items() if path and _came_of(error, path)]
        another = f", or give another than {' or '.join(ways)}" if ways else ""
        raise BuckError(f"{file_error(error)}{another}") from error


def file_error(error: OSError) -> str:
    """What is wrong with a file, and with which one."""
    where = f"{error.filename}: " if error.filename else ""
    return f"{where}{error.strerror or error}; mend that"


def _came_of(error: OSError, path: Path) -> bool:
    """Whether an error can have come of writing a path: it names it or what leads there, or no file, as a full disk."""
    if not error.filename:
        return error.errno == errno.ENOSPC
    named = Path(str(error.filename))
    return named.is_relative_to(path) or path.is_relative_to(named)
