"""`kernel`: a function that numba compiles at its first call and keeps on disk for the next process.

Compiled code is stored under a key of all sources of its package and of `buck_env`, because numba alone does not notice
when a function called from another file has changed. ``NUMBA_DISABLE_JIT=1`` runs every kernel as plain Python.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from platformdirs import user_cache_path

__all__ = ["borrowing_kernel", "compile_seconds", "compiling", "kernel", "rare_kernel"]

F = TypeVar("F", bound=Callable[..., Any])

_config: Any = numba.config
_njit: Any = numba.njit  # whose type does not know `_nrt`
_HERE = Path(__file__).parent.parent
_kept: set[tuple[str, str]] = set()
"""What `compiling` has been through in this process."""
_took: list[float] = []
"""The seconds that each kernel compiled by this process took."""


def _cache_root() -> Path:
    """Beside the sources where that can be written, else the user's cache folder."""
    if _config.CACHE_DIR:
        return Path(_config.CACHE_DIR)
    beside = _HERE / "__pycache__"
    writable = os.access(beside if beside.is_dir() else _HERE, os.W_OK)
    return beside if writable else user_cache_path("buck_env")


@cache
def _folder_of(module: Path) -> Path:
    """Where the kernels of a module's package are kept: under a key of all its sources, and of this one's."""
    package = module.parent
    while (package.parent / "__init__.py").exists():
        package = package.parent
    digest = hashlib.sha256()
    for folder in dict.fromkeys((_HERE, package)):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.read_bytes())
    return _cache_root() / f"kernels-{digest.hexdigest()[:16]}"


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
    _config.CACHE_DIR = str(_folder_of(Path(function.__code__.co_filename)))
    try:
        compiled: Any = _njit(function, cache=True, nogil=True, error_model="numpy", **options)
        if not _config.DISABLE_JIT:
            compiled._compile_for_args = _uninterrupted(_timed(compiled))
        return cast(F, compiled)
    finally:
        _config.CACHE_DIR = outside


def compile_seconds() -> float:
    """Seconds that this process has spent compiling; kernels that are loaded do not count."""
    return sum(_took)


def _timed(compiled: Any) -> Callable[..., Any]:
    """numba's own way to a kernel's machine code, its seconds noted where there was none on disk."""
    find: Callable[..., Any] = compiled._compile_for_args

    def find_timed(*args: Any, **kwargs: Any) -> Any:
        missed, began = compiled.stats.cache_misses.copy(), time.perf_counter()
        try:
            return find(*args, **kwargs)
        finally:
            if compiled.stats.cache_misses != missed:
                _took.append(time.perf_counter() - began)

    return find_timed


def _uninterrupted(load: Callable[..., Any]) -> Callable[..., Any]:
    """numba's own way to a kernel's machine code, at the end of which come ctrl-C and what raises as it does.

    Within llvmlite they would be lost in a callback, or come between a module's passing to another owner and the note
    of it, after which it is freed twice.
    """

    def load_whole(*args: Any, **kwargs: Any) -> Any:
        if threading.current_thread() is not threading.main_thread():  # no other is interrupted
            return load(*args, **kwargs)
        come: list[int] = []
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
        handlers = {number: handler for number, handler in handlers.items() if callable(handler)}
        for number in handlers:
            signal.signal(number, lambda number, _: come.append(number))
        try:
            return load(*args, **kwargs)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)
            if come:
                signal.raise_signal(come[0])

    return load_whole


@contextmanager
def compiling(what: str, module: str) -> Iterator[None]:
    """Say once, on stderr, that `what` of a module, its ``__file__``, is being compiled where no process has yet."""
    if (what, module) in _kept:
        yield
        return
    folder = _folder_of(Path(module))
    done = folder / f"{what}.done"
    announce = not _config.DISABLE_JIT and not done.exists()
    if announce:
        print(
            f"buck_env: compiling {what} (once, about a minute; kept in {folder.parent})", file=sys.stderr, flush=True
        )
    yield
    if announce:
        folder.mkdir(parents=True, exist_ok=True)
        done.touch()
    _kept.add((what, module))
