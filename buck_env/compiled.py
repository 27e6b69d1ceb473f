"""`kernel`: a function that numba compiles at its first call and keeps on disk for the next process.

Compiled code is stored under a key of all sources of this package, because numba alone does not notice when a
function called from another file has changed. ``NUMBA_DISABLE_JIT=1`` runs every kernel as plain Python.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba
from platformdirs import user_cache_path

__all__ = ["borrowing_kernel", "compiling", "kernel", "rare_kernel"]

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config
_njit: Any = numba.njit  # whose type does not know `_nrt`
_HERE = Path(__file__).parent


def _cache_root() -> Path:
    """Beside the sources where that can be written, else the user's cache folder."""
    if _config.CACHE_DIR:
        return Path(_config.CACHE_DIR)
    beside = _HERE / "__pycache__"
    writable = os.access(beside if beside.is_dir() else _HERE, os.W_OK)
    return beside if writable else user_cache_path("buck_env")


def _source_key() -> str:
    digest = hashlib.sha256()
    for path in sorted(_HERE.glob("*.py")) + sorted(_HERE.parent.glob("agents/*.py")):
        source = path.read_bytes()
        if path.parent == _HERE or b"buck_env.compiled" in source:
            digest.update(source)
    return digest.hexdigest()[:16]


CACHE = _cache_root() / f"kernels-{_source_key()}"


def kernel(function: F) -> F:
    """`function` compiled: nopython, no global lock, cached on disk; other kernels take it in whole."""
    return _compiled(function, forceinline=True)


def borrowing_kernel(function: F) -> F:
    """A kernel that makes no array: its arrays need no counted references, which are atomic and taken at every call."""
    return _compiled(function, forceinline=True, _nrt=False)


def rare_kernel(function: F) -> F:
    """A `borrowing_kernel` that others call: what happens once a hand would only fill the instruction cache."""
    return _compiled(function, forceinline=False, _nrt=False)


def _compiled(function: F, **options: bool) -> F:
    outside = _config.CACHE_DIR
    _config.CACHE_DIR = str(CACHE)
    try:
        compiled: F = _njit(function, cache=True, nogil=True, error_model="numpy", **options)
        return compiled
    finally:
        _config.CACHE_DIR = outside


@contextmanager
def compiling(what: str) -> Iterator[None]:
    """Say once, on stderr, that `what` is being compiled, where no earlier process has done it."""
    done = CACHE / f"{what}.done"
    announce = not _config.DISABLE_JIT and not done.exists()
    if announce:
        print(f"buck_env: compiling {what} (once, up to a minute; kept in {CACHE.parent})", file=sys.stderr, flush=True)
    yield
    if announce:
        CACHE.mkdir(parents=True, exist_ok=True)
        done.touch()
