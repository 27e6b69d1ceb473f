"""The errors of this package. Each message says what is wrong, where, and what is allowed."""

from traceback import format_exception_only

__all__ = ["BuckError", "IllegalActionError", "RecordError", "RulesError", "shortened", "told_of"]


class BuckError(ValueError):
    """Bad input, told in one message."""


class RulesError(BuckError):
    """Rules that do not exist or cannot be played."""


class RecordError(BuckError):
    """A hand record, a seat's view or a deal that cannot be read or replayed."""


class IllegalActionError(BuckError):
    """An action that the seat to act may not take. Nothing has changed."""


def shortened(text: str, most: int = 60) -> str:
    """A text for a message, its end left out where it is longer than so many characters."""
    return text if len(text) <= most else text[: most - 3] + "..."


def told_of(error: BaseException) -> str:
    """An error of others' code in one line, also one that fails to tell itself."""
    return " ".join(format_exception_only(error)[-1].split())
