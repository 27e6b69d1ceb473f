"""Functions whose arguments are the fields of a dataclass, so that several share their declarations and checks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import field, fields
from typing import Any, Concatenate, ParamSpec, TypeVar

__all__ = ["CheckedFields", "checked_field", "takes"]

P = ParamSpec("P")
T = TypeVar("T")


class CheckedFields:
    """A base of dataclasses whose fields, where they were made by `checked_field`, are checked as they are set."""

    def __post_init__(self) -> None:
        for each in fields(self):  # type: ignore[arg-type]  # its subclasses are dataclasses
            if "check" in each.metadata:
                each.metadata["check"](getattr(self, each.name))


def checked_field(default: Any, check: Callable[[object], None]) -> Any:
    """A field with a default, and with a check that raises where a value is not allowed."""
    return field(default=default, metadata={"check": check})


def takes(settings: Callable[P, T]) -> Callable[[Callable[[Any, T], None]], Callable[Concatenate[Any, P], None]]:
    """Let an `__init__` that is written for a settings object take the arguments of the object instead."""

    def decorate(init: Callable[[Any, T], None]) -> Callable[Concatenate[Any, P], None]:
        def __init__(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> None:
            init(self, settings(*args, **kwargs))

        own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        theirs = inspect.signature(settings)
        __init__.__signature__ = theirs.replace(parameters=[own, *theirs.parameters.values()])  # type: ignore[attr-defined]
        return __init__

    return decorate
