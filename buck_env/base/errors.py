"""The errors of this package. Each message says what is wrong, where, and what is allowed."""

from traceback import format_exception_only

__all__ = ["BuckError", "IllegalActionError", "RecordError", "RulesError", "SettingError", "in_one_line", "shortened"]


class BuckError(ValueError):
    """Bad input. The message says what is wrong and what is allowed."""


class RulesError(BuckError):
    """Rules that do not exist or cannot be played."""


class SettingError(BuckError):
    """A setting that is not allowed, as in ``SettingError("seats", "5", "3 or 4")``. The value is given as text."""

    def __init__(self, key: str, value: str, allowed: str) -> None:
        super().__init__(key, value, allowed)
        self.key = key

    def __str__(self) -> str:
        return "{}: {} is not allowed; allowed: {}".format(*self.args)


class RecordError(BuckError):
    """A hand record, a seat's view or a deal that cannot be read or replayed."""


class IllegalActionError(BuckError):
    """An action that the seat to act may not take. Nothing has changed."""


def shortened(text: str, most: int = 60) -> str:
    """A text for a message, its end left out where it is longer than so many characters."""
    return text if len(text) <= most else text[: most - 3] + "..."


def in_one_line(error: BaseException) -> str:
    """An error raised by others' code in one line, even one whose own text cannot be made."""
    return " ".join(format_exception_only(error)[-1].split())
