"""Conformance records and matches, confirmed by the engine."""

from __future__ import annotations

import pytest
from conformance import FILES

from buck_env import RecordError
from buck_env.records import read_records, verify


def test_every_conformance_record_is_confirmed() -> None:
    """RULES §14.1, §14.2, §14.3, §14.4."""
    assert sum(verify(read_records(path)) for path in FILES) == 1841


def test_matches_are_checked_as_sequences() -> None:
    """RULES §1.9, §14.5."""
    hands = list(read_records(next(path for path in FILES if path.stem == "matches")))
    first = hands[0][1]["match"]["id"]
    match = [hand for hand in hands if hand[1]["match"]["id"] == first]
    assert verify(match) == len(match) > 2
    for sequence in (
        match[1:],  # the first hand cut
        match[:1] + match[2:],  # one in the middle
        match[:-1],  # the last
        match[:1] + match,  # a hand twice
        match[::-1],
    ):
        with pytest.raises(RecordError, match=first):
            verify(sequence)
