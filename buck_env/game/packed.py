"""The rules as kernels read them: one record of whole numbers, derived from the fields of `Rules`.

An option is its number. `hands` 0 is no limit, and `maker_needs` 0 is the bid. A `forced_stay` below every score forces
nobody.
"""

from __future__ import annotations

from typing import Any, get_type_hints

import numpy as np

from buck_env.game.options import Option

__all__ = ["packed"]

_ABSENT = {"hands": 0, "forced_stay": -(2**31), "maker_needs": 0}
"""The number that stands for None, or for ``"bid"``."""
_APART = ("base", "first_dealer")
"""Fields that no kernel reads: a name, and what is drawn before the deal."""
_WIDE = ("start", "target", "hands", "forced_stay")
"""Fields that do not fit in one byte."""


def _record_type(rules: type) -> np.dtype:
    """The record of a class of rules: a field each, and `toward`. The wide fields come first and lie aligned."""
    names = [name for name in get_type_hints(rules) if name not in (*_APART, *_WIDE)]
    return np.dtype((np.record, [(name, "i4") for name in _WIDE] + [(name, "i1") for name in ("toward", *names)]))


def packed(rules: Any) -> np.ndarray:
    """The record of some rules, shape (1,). `Rules.packed` keeps it."""
    record = _record_type(type(rules))
    row = np.zeros(1, record)
    for name in record.names or ():
        value = getattr(rules, name)
        if isinstance(value, Option):
            value = value.value
        elif name in _ABSENT and (value is None or isinstance(value, str)):
            value = _ABSENT[name]
        row[name] = value
    return row
