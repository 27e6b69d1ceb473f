"""Records confirmed one after the other: each hand by the engine, each match as a sequence of hands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from buck_env.base.errors import RecordError
from buck_env.game.rules import Rules
from buck_env.records.hands import check_same, verify_hand
from buck_env.records.schema import HandRecord, rules_of

__all__ = ["confirmed", "verify"]


def verify(places: Iterable[tuple[str, HandRecord]]) -> int:
    """The number of records, all confirmed; RecordError names the first difference."""
    return sum(1 for _ in confirmed(places))


def confirmed(places: Iterable[tuple[str, HandRecord]]) -> Iterator[tuple[str, HandRecord, int]]:
    """The records and their places with the hands of the match before each, as they are confirmed: each hand by the
    engine, each match as a sequence of hands.

    RecordError names the first difference; that a match has no end shows after the last record.
    """
    matches: dict[str, _Match] = {}
    for where, record in places:
        if "match" in record:
            name = record["match"]["id"]
            match = matches.setdefault(name, _Match(name, rules_of(record, where)))
            yield where, record, match.confirm(where, record)
        else:
            yield where, record, verify_hand(record, where)[1]
    for match in matches.values():
        match.end()


class _Match:
    """A match as far as its hands have been confirmed."""

    def __init__(self, name: str, rules: Rules) -> None:
        self._name, self._rules = name, rules
        self._scores = [rules.start] * rules.seats
        self._dealer = None if rules.first_dealer == "random" else rules.first_dealer - 1
        self._number = self._played = 0
        self._over = False
        self._where = ""

    def confirm(self, where: str, record: HandRecord) -> int:
        """The hands played before this one, redeals not counted."""
        self._where = where = f"{where}: match {self._name}"
        if self._over:
            raise RecordError(f"{where}: hand {self._number} follows a hand that has winners")
        check_same(where, "hand", record["match"]["hand"], self._number)
        if rules_of(record, where) != self._rules:
            raise RecordError(f"{where}: rules: {record['rules']!r} are not those of hand 0")
        check_same(where, "scores", record["scores"], self._scores)
        if self._dealer is not None:
            check_same(where, "dealer", record["dealer"], (self._dealer + 1) % self._rules.seats)
        before = self._played
        result, _ = verify_hand(record, where, before)
        self._scores, self._dealer = result["scores"], record["dealer"]
        self._number += 1
        self._played += not result["redeal"]
        self._over = bool(result["winners"])
        return before

    def end(self) -> None:
        """RecordError where nobody has won it."""
        if not self._over:
            raise RecordError(f"{self._where}: ends without winners after hand {self._number - 1}")
