"""Files that are written whole: a reader sees the old one or the new one, never a half."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

__all__ = ["replace_file", "write_json"]


def replace_file(path: Path, data: bytes) -> None:
    """Write a file so that it is either as before or whole.

    The bytes go to a file beside it, reach the disk, and take its place in one step. An OSError names `path`, not the
    file beside it, and leaves nothing behind.
    """
    temporary = path.with_name(path.name + ".tmp")
    try:
        with open(temporary, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink()
        raise OSError(error.errno, error.strerror, str(path)) from None


def write_json(path: Path, value: Any, *, indent: int = 1) -> None:
    """Write a value as JSON text, as `replace_file` writes; folders that are missing are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, (json.dumps(value, indent=indent) + "\n").encode())
